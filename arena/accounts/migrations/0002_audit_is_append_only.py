"""The audit log only grows: the database itself refuses to change or delete an entry."""

from django.db import migrations

FORBID = """
create function accounts_audit_is_append_only() returns trigger language plpgsql as $$
begin
    raise exception 'the audit log only grows';
end $$;
create trigger accounts_audit_is_append_only before update or delete on accounts_auditentry
    for each row execute function accounts_audit_is_append_only();
"""
ALLOW = """
drop trigger accounts_audit_is_append_only on accounts_auditentry;
drop function accounts_audit_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [migrations.RunSQL(FORBID, ALLOW)]
