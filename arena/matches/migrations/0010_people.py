"""A person may take a seat; such matches have a purpose of their own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0009_failed_seats"),
    ]

    operations = [
        migrations.AddField(
            model_name="matchseat",
            name="person",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=150, verbose_name="person"
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="purpose",
            field=models.CharField(
                choices=[
                    ("validation", "validation"),
                    ("challenge", "challenge"),
                    ("ladder", "ladder"),
                    ("tournament", "tournament"),
                    ("promotion", "promotion test"),
                    ("play", "people at a table"),
                ],
                max_length=10,
                verbose_name="purpose",
            ),
        ),
        migrations.AlterField(
            model_name="matchseat",
            name="fault",
            field=models.CharField(
                blank=True,
                choices=[
                    ("no_hello", "did not say hello in time"),
                    ("version", "speaks another version of the protocol"),
                    ("crash", "crashed"),
                    ("closed", "closed its connection"),
                    ("garbage", "sent garbage"),
                    ("flood", "flooded the host"),
                    ("strikes", "had three strikes"),
                    ("left", "resigned or left"),
                ],
                max_length=10,
                verbose_name="fault",
            ),
        ),
        migrations.AlterField(
            model_name="matchseat",
            name="purpose",
            field=models.CharField(
                blank=True,
                choices=[
                    ("validation", "validation"),
                    ("challenge", "challenge"),
                    ("ladder", "ladder"),
                    ("tournament", "tournament"),
                    ("promotion", "promotion test"),
                    ("play", "people at a table"),
                ],
                db_default="",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="reportarchive",
            name="purpose",
            field=models.CharField(
                choices=[
                    ("validation", "validation"),
                    ("challenge", "challenge"),
                    ("ladder", "ladder"),
                    ("tournament", "tournament"),
                    ("promotion", "promotion test"),
                    ("play", "people at a table"),
                ],
                max_length=10,
            ),
        ),
    ]
