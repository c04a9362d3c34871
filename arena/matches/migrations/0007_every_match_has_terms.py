"""Added without reading the table, then validated without holding up the arena."""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("matches", "0006_terms")]

    operations = [
        AddConstraintNotValid(
            "match",
            models.CheckConstraint(
                condition=Q(terms__isnull=False)
                | Q(
                    own_ruleset__isnull=False,
                    own_board_id__isnull=False,
                    own_board_hash__isnull=False,
                    own_clocks__isnull=False,
                ),
                name="matches_match_has_terms",
            ),
        ),
    ]
