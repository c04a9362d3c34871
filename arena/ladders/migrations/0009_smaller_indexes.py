"""The key of rating changes begins with the bot, so its index is the history; results are found by another."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

# The table has a key at any time; whatever an interrupted run has left is removed first.
FORGET_HALF_BUILT = "drop index concurrently if exists ladders_change_key"
BUILD = "create unique index concurrently ladders_change_key on ladders_ratingchange (season_id, bot_id, sequence)"
EXCHANGE = """
    alter table ladders_ratingchange drop constraint ladders_ratingchange_pkey,
        add constraint ladders_ratingchange_pkey primary key using index ladders_change_key
"""
DROP_HISTORY = "drop index concurrently if exists ladders_change_history"


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("ladders", "0008_rating_counts")]

    operations = [
        AddIndexConcurrently(
            "ratingchange", models.Index(fields=["season", "sequence"], name="ladders_change_sequence")
        ),
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL(sql) for sql in (FORGET_HALF_BUILT, BUILD, EXCHANGE, DROP_HISTORY)],
            [
                migrations.AlterField(
                    "ratingchange",
                    "pk",
                    models.CompositePrimaryKey(
                        "season_id",
                        "bot_id",
                        "sequence",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                migrations.RemoveIndex("ratingchange", "ladders_change_history"),
            ],
        ),
    ]
