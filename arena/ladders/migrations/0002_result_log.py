from django.db import migrations

CREATE = """
create function ladders_result_stays() returns trigger language plpgsql as $$
begin
    raise exception 'the log of results is only ever added to';
end $$;
create trigger ladders_result_stays before update or delete on ladders_result
    for each row execute function ladders_result_stays();
"""
DROP = "drop trigger ladders_result_stays on ladders_result; drop function ladders_result_stays();"


class Migration(migrations.Migration):
    dependencies = [("ladders", "0001_initial")]
    operations = [migrations.RunSQL(CREATE, DROP)]
