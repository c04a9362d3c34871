from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("matches", "0002_filtered_lists")]
    operations = [
        AddIndexConcurrently(
            model_name="match",
            index=models.Index(
                condition=models.Q(("purpose", "ladder"), _negated=True),
                fields=["purpose", "seats", "-id"],
                name="matches_match_of_seats",
            ),
        ),
    ]
