from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models

MATCHES_AT_A_TIME = 5_000
FILL = """
update matches_matchseat s set purpose = m.purpose from matches_match m
where m.id = s.match_id and s.purpose = '' and m.id > %s and m.id <= %s
"""


def fill(apps: Any, schema_editor: Any) -> None:
    """Fill the column in batches; what is missed or written meanwhile stays empty, and is found all the same."""
    last = apps.get_model("matches", "Match").objects.aggregate(last=models.Max("id"))["last"] or 0
    with schema_editor.connection.cursor() as cursor:
        for first in range(0, last, MATCHES_AT_A_TIME):
            cursor.execute(FILL, [first, first + MATCHES_AT_A_TIME])


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("matches", "0003_lists_by_seats")]
    operations = [
        migrations.AddField(
            model_name="matchseat",
            name="purpose",
            field=models.CharField(
                blank=True,
                choices=[
                    ("validation", "validation"),
                    ("challenge", "challenge"),
                    ("ladder", "ladder"),
                    ("tournament", "tournament"),
                ],
                db_default="",
                max_length=10,
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        AddIndexConcurrently(
            model_name="matchseat",
            index=models.Index(fields=["version", "purpose", "-match"], name="matches_matchseat_of_kind"),
        ),
        RemoveIndexConcurrently(model_name="matchseat", name="matches_matchseat_version"),
    ]
