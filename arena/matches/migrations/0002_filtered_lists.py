from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial")]
    operations = [
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["purpose", "-id"], name="matches_match_of_purpose"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("state", "finished"), _negated=True),
                fields=["state", "-id"],
                name="matches_match_not_finished",
            ),
        ),
    ]
