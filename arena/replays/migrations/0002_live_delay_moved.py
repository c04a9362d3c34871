"""The delay of live matches is now a field of the ladder or tournament; what was set goes there."""

from typing import Any

from django.db import migrations


def move(apps: Any, schema_editor: Any) -> None:
    # Newer seasons have greater numbers: of several delays of a ladder, the newest season's stays.
    for one in apps.get_model("replays", "LiveDelay").objects.order_by("purpose_id"):
        if one.purpose == "ladder":
            owners = apps.get_model("ladders", "Ladder").objects.filter(seasons=one.purpose_id)
        elif one.purpose == "tournament":
            owners = apps.get_model("tournaments", "Tournament").objects.filter(pk=one.purpose_id)
        else:
            continue
        owners.update(live_delay=one.seconds)


def move_back(apps: Any, schema_editor: Any) -> None:
    delays = apps.get_model("replays", "LiveDelay").objects
    for season in (
        apps.get_model("ladders", "Season").objects.exclude(ladder__live_delay=0).select_related("ladder")
    ):
        delays.create(purpose="ladder", purpose_id=season.pk, seconds=season.ladder.live_delay)
    for event in apps.get_model("tournaments", "Tournament").objects.exclude(live_delay=0):
        delays.create(purpose="tournament", purpose_id=event.pk, seconds=event.live_delay)


class Migration(migrations.Migration):
    dependencies = [
        ("ladders", "0004_live_delay"),
        ("tournaments", "0003_live_delay"),
        ("replays", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(move, move_back),
        migrations.DeleteModel(name="LiveDelay"),
    ]
