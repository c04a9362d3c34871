"""Meetings are packed into blocks, from which head-to-head tables are read; changes have no foreign keys."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

LOCK = "lock table ladders_meeting, ladders_paircount in access exclusive mode"
"""Old workers must not count what the packing does not see: they wait, fail, and owe it until they are new."""
PACK = """
    set local statement_timeout = 0;
    insert into ladders_meetingblock (version_id, season_id, block, keys, games, better, worse)
    select version_id, season_id, other_id / 512,
        array_agg((other_id % 512 * 4 + seat)::smallint order by other_id, seat),
        array_agg(games order by other_id, seat), array_agg(better order by other_id, seat),
        array_agg(worse order by other_id, seat)
    from ladders_meeting where games <> 0 group by 1, 2, 3 order by 1, 2, 3
"""


class Migration(migrations.Migration):
    dependencies = [("bots", "0004_pinned_runtime"), ("ladders", "0009_smaller_indexes")]

    operations = [
        migrations.RunSQL(LOCK),
        migrations.CreateModel(
            name="MeetingBlock",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "version_id",
                        "season_id",
                        "block",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("block", models.IntegerField()),
                ("keys", django.contrib.postgres.fields.ArrayField(models.SmallIntegerField(), size=None)),
                ("games", django.contrib.postgres.fields.ArrayField(models.IntegerField(), size=None)),
                ("better", django.contrib.postgres.fields.ArrayField(models.IntegerField(), size=None)),
                ("worse", django.contrib.postgres.fields.ArrayField(models.IntegerField(), size=None)),
                (
                    "season",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="meetings",
                        to="ladders.season",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="bots.version",
                    ),
                ),
            ],
            options={
                "verbose_name": "block of meetings",
                "verbose_name_plural": "blocks of meetings",
            },
        ),
        migrations.RunSQL(PACK),
        migrations.DeleteModel("Meeting"),
        migrations.DeleteModel("PairCount"),
        migrations.AlterField(
            "ratingchange",
            "bot",
            models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rating_changes",
                to="bots.bot",
            ),
        ),
        migrations.AlterField(
            "ratingchange",
            "season",
            models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="changes",
                to="ladders.season",
            ),
        ),
    ]
