"""The delay of live matches is now a field of the ladder or tournament; what was set goes there."""

from typing import Any

from django.db import migrations


def move(apps: Any, schema_editor: Any) -> None:
    for one in apps.get_model("replays", "LiveDelay").objects.all():
        if one.purpose == "ladder":
            owners = apps.get_model("ladders", "Ladder").objects.filter(seasons=one.purpose_id)
        elif one.purpose == "tournament":
            owners = apps.get_model("tournaments", "Tournament").objects.filter(pk=one.purpose_id)
        else:
            continue
        owners.update(live_delay=one.seconds)


class Migration(migrations.Migration):
    dependencies = [
        ("ladders", "0004_live_delay"),
        ("tournaments", "0003_live_delay"),
        ("replays", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(move, migrations.RunPython.noop),
        migrations.DeleteModel(name="LiveDelay"),
    ]
