"""`manage.py prepare`: what must be done before the arena starts, in one process as each start costs."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from arena.accounts.models import User
from arena.bots.house import load_house_bots
from arena.demo.services import CAST, load_demo

PASSWORD_FILE = "demo_password"  # noqa: S105  a file's name


class Command(BaseCommand):
    help = "Migrate the database, load the demo data into an empty one, and print the demo sign-ins."

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        if not User.objects.exists():
            load_demo(settings.HOME.secret(PASSWORD_FILE, 12))
        load_house_bots()
        file = settings.HOME.path / PASSWORD_FILE
        if file.exists():  # else they were loaded from another folder, and only that one knows the password
            password = file.read_text()
            for account in CAST:
                self.stdout.write(f"{account.username:8} {password}   {account.role}")
