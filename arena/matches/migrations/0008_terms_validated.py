from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("matches", "0007_every_match_has_terms")]

    operations = [ValidateConstraint("match", "matches_match_has_terms")]
