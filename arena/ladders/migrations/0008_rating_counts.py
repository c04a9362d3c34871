"""Triggers count the standings by spans of ratings, from which ranks are added up."""

import django.db.models.deletion
from django.db import migrations, models

COUNT = """
create function ladders_count_ratings() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        insert into ladders_ratingcount as kept (season_id, span, bots)
        select season_id, span, sum(change) from (
            select season_id, floor(rating / 2)::int as span, 1 as change from added
            union all
            select season_id, floor(rating / 2)::int, -1 from removed
        ) changes
        group by season_id, span having sum(change) <> 0 order by season_id, span
        on conflict (season_id, span) do update set bots = kept.bots + excluded.bots;
    elsif tg_op = 'INSERT' then
        insert into ladders_ratingcount as kept (season_id, span, bots)
        select season_id, floor(rating / 2)::int as span, count(*) from added
        group by season_id, span order by season_id, span
        on conflict (season_id, span) do update set bots = kept.bots + excluded.bots;
    else
        update ladders_ratingcount kept set bots = kept.bots - gone.bots from (
            select season_id, floor(rating / 2)::int as span, count(*) as bots from removed
            group by season_id, span order by season_id, span
        ) gone
        where kept.season_id = gone.season_id and kept.span = gone.span;
    end if;
    return null;
end $$;
create trigger ladders_ratings_added after insert on ladders_standing
    referencing new table as added for each statement execute function ladders_count_ratings();
create trigger ladders_ratings_changed after update on ladders_standing
    referencing new table as added old table as removed
    for each statement execute function ladders_count_ratings();
create trigger ladders_ratings_removed after delete on ladders_standing
    referencing old table as removed for each statement execute function ladders_count_ratings();
insert into ladders_ratingcount (season_id, span, bots)
    select season_id, floor(rating / 2)::int as span, count(*) from ladders_standing group by season_id, span;
"""


class Migration(migrations.Migration):
    dependencies = [("ladders", "0007_without_openskill")]

    operations = [
        migrations.CreateModel(
            name="RatingCount",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "season_id", "span", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("span", models.IntegerField()),
                ("bots", models.IntegerField()),
                (
                    "season",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rating_counts",
                        to="ladders.season",
                    ),
                ),
            ],
            options={"verbose_name": "rating count", "verbose_name_plural": "rating counts"},
        ),
        migrations.AddField("ladder", "entered_to", models.BigIntegerField(default=0, editable=False)),
        migrations.RunSQL(COUNT),
    ]
