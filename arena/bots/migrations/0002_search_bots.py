import django.contrib.postgres.indexes
import django.contrib.postgres.search
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("bots", "0001_initial")]
    operations = [
        migrations.AddIndex(
            model_name="bot",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.search.SearchVector("name", "slug", config="simple"),
                name="bots_bot_search",
            ),
        ),
    ]
