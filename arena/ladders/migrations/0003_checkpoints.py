"""Rating changes hold every value of the fold, pairs are counted, and indexes fit what is asked."""

from collections.abc import Callable

import django.db.models.deletion
import django.db.models.functions.comparison
from django.db import migrations, models
from django.db.models import F, Q

KEEP = """
    set local statement_timeout = 0;
    lock table ladders_ratingchange in access exclusive mode;
    create table ladders_oldchange as
        select season_id, sequence, bot_id, place, rating, mu, sigma from ladders_ratingchange;
"""
FILL = """
    insert into ladders_ratingchange (season_id, bot_id, rating, mu, sigma, sequence, games, wins, place)
    select season_id, bot_id, rating, mu, sigma, sequence, row_number() over history,
        count(*) filter (where place = 1) over history, place
    from ladders_oldchange
    window history as (partition by season_id, bot_id order by sequence rows unbounded preceding)
    order by season_id, sequence, bot_id;
    insert into ladders_paircount (season_id, bot_id, other_id, games, better, worse)
    select season_id, one.bot_id, other.bot_id, count(*), count(*) filter (where one.place < other.place),
        count(*) filter (where one.place > other.place)
    from ladders_oldchange one join ladders_oldchange other using (season_id, sequence)
    where one.bot_id < other.bot_id
    group by season_id, one.bot_id, other.bot_id;
    drop table ladders_oldchange;
    update ladders_season set ranked_to = last_sequence;
    update ladders_entry entry set house_passed = ranked.passed
    from (
        select season.ladder_id, standing.bot_id, count(*) filter (where bot.is_house) over (
            partition by season.id order by rating, standing.id desc
            rows between unbounded preceding and 1 preceding
        ) as passed
        from ladders_standing standing
        join ladders_season season on season.id = standing.season_id and season.closed_at is null
        join bots_bot bot on bot.id = standing.bot_id
    ) ranked
    where ranked.ladder_id = entry.ladder_id and ranked.bot_id = entry.bot_id;
"""


def key(model: str, related_name: str, on_delete: Callable[..., None]) -> models.ForeignKey:
    return models.ForeignKey(db_index=False, on_delete=on_delete, related_name=related_name, to=model)


CASCADE, PROTECT = django.db.models.deletion.CASCADE, django.db.models.deletion.PROTECT


class Migration(migrations.Migration):
    dependencies = [("bots", "0001_initial"), ("matches", "0001_initial"), ("ladders", "0002_result_log")]

    operations = [
        migrations.RunSQL(KEEP),
        migrations.DeleteModel("RatingChange"),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "season_id",
                        "sequence",
                        "bot_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("season", key("ladders.season", "changes", CASCADE)),
                ("bot", key("bots.bot", "rating_changes", PROTECT)),
                ("rating", models.FloatField(verbose_name="rating after")),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("sequence", models.PositiveIntegerField()),
                ("games", models.PositiveIntegerField()),
                ("wins", models.PositiveIntegerField()),
                ("place", models.PositiveSmallIntegerField(verbose_name="place")),
            ],
            options={
                "verbose_name": "rating change",
                "verbose_name_plural": "rating changes",
                "indexes": [
                    models.Index(fields=["season", "bot", "sequence"], name="ladders_change_history")
                ],
            },
        ),
        migrations.CreateModel(
            name="PairCount",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "season_id",
                        "bot_id",
                        "other_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("season", key("ladders.season", "pairs", CASCADE)),
                ("bot", key("bots.bot", "+", PROTECT)),
                ("other", key("bots.bot", "+", PROTECT)),
                ("games", models.PositiveIntegerField()),
                ("better", models.PositiveIntegerField()),
                ("worse", models.PositiveIntegerField()),
            ],
            options={"verbose_name": "pair count", "verbose_name_plural": "pair counts"},
        ),
        migrations.AddField("entry", "house_passed", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("entry", "told_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "ladder", "entered_at", models.DateTimeField(blank=True, editable=False, null=True)
        ),
        migrations.AddField("season", "ranked_to", models.PositiveIntegerField(default=0, editable=False)),
        migrations.AddField(
            "season", "corrected_from", models.PositiveIntegerField(blank=True, editable=False, null=True)
        ),
        migrations.AddField(
            "season", "corrected_to", models.PositiveIntegerField(blank=True, editable=False, null=True)
        ),
        migrations.AddConstraint(
            "season",
            models.CheckConstraint(
                condition=Q(corrected_from=None, corrected_to=None)
                | Q(corrected_from__isnull=False, corrected_to__gte=F("corrected_from")),
                name="ladders_season_correction",
            ),
        ),
        migrations.AddIndex(
            "season",
            models.Index("id", condition=Q(corrected_to__isnull=False), name="ladders_season_corrected"),
        ),
        migrations.AlterField(
            "ladder",
            "a_minute",
            models.PositiveSmallIntegerField(
                blank=True,
                help_text="The most that are made in any minute; leave it empty for as many as hosts can play.",
                null=True,
                verbose_name="matches per minute",
            ),
        ),
        migrations.AlterField(
            "ladder",
            "depth",
            models.PositiveSmallIntegerField(
                default=8,
                help_text="How many matches are kept waiting or running.",
                verbose_name="queue depth",
            ),
        ),
        migrations.RemoveIndex("standing", "ladders_standing_rank"),
        migrations.AddIndex(
            "standing", models.Index(fields=["season", "-rating", "id"], name="ladders_standing_order")
        ),
        migrations.AddIndex(
            "entry",
            models.Index(
                "ladder",
                django.db.models.functions.comparison.Coalesce("paired_at", "joined_at"),
                condition=Q(left_at=None),
                name="ladders_entry_waiting",
            ),
        ),
        migrations.AddIndex("entry", models.Index(fields=["ladder", "-id"], name="ladders_entry_newest")),
        migrations.RemoveConstraint("result", "ladders_result_match_once"),
        migrations.RemoveConstraint("result", "ladders_result_set_once"),
        migrations.RemoveConstraint("result", "ladders_result_voided_once"),
        migrations.AlterField("result", "season", key("ladders.season", "results", PROTECT)),
        migrations.AlterField(
            "result",
            "match",
            models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=PROTECT,
                related_name="results",
                to="matches.match",
            ),
        ),
        migrations.AlterField(
            "result",
            "duplicate_set",
            models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=PROTECT,
                related_name="results",
                to="matches.duplicateset",
            ),
        ),
        migrations.AlterField(
            "result",
            "voids",
            models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=PROTECT,
                related_name="voided_by",
                to="ladders.result",
            ),
        ),
        migrations.AddConstraint(
            "result",
            models.UniqueConstraint(
                fields=["match"], condition=Q(match__isnull=False), name="ladders_result_of_match_once"
            ),
        ),
        migrations.AddConstraint(
            "result",
            models.UniqueConstraint(
                fields=["duplicate_set"],
                condition=Q(duplicate_set__isnull=False),
                name="ladders_result_of_set_once",
            ),
        ),
        migrations.AddConstraint(
            "result",
            models.UniqueConstraint(
                fields=["voids"], condition=Q(voids__isnull=False), name="ladders_result_void_once"
            ),
        ),
        migrations.RunSQL(FILL),
    ]
