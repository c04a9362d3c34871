"""Rules, clocks and boards are stored once and not with every match; old matches keep theirs."""

import django.db.models.deletion
from django.db import migrations, models

OPTIONAL = """
    alter table matches_match alter ruleset drop not null, alter clocks drop not null,
        alter board_id drop not null, alter board_hash drop not null
"""
OWN = {
    "ruleset": models.JSONField(blank=True, db_column="ruleset", null=True, verbose_name="ruleset"),
    "clocks": models.JSONField(blank=True, db_column="clocks", null=True, verbose_name="clocks"),
    "board_id": models.CharField(
        blank=True, db_column="board_id", max_length=100, null=True, verbose_name="board"
    ),
    "board_hash": models.CharField(blank=True, db_column="board_hash", max_length=64, null=True),
}


class Migration(migrations.Migration):
    dependencies = [("matches", "0005_report_archives")]

    operations = [
        migrations.CreateModel(
            name="MatchTerms",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("ruleset", models.JSONField(verbose_name="ruleset")),
                ("clocks", models.JSONField(verbose_name="clocks")),
                ("board_id", models.CharField(max_length=100, verbose_name="board")),
                ("board_hash", models.CharField(max_length=64)),
            ],
            options={"verbose_name": "terms", "verbose_name_plural": "terms"},
        ),
        migrations.AddField(
            model_name="match",
            name="terms",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="matches.matchterms",
            ),
        ),
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL(OPTIONAL)],
            [
                operation
                for name, field in OWN.items()
                for operation in (
                    migrations.RenameField("match", name, f"own_{name}"),
                    migrations.AlterField("match", f"own_{name}", field),
                )
            ],
        ),
    ]
