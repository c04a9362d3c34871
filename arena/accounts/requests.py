"""The type of a request behind `login_required`."""

from django.http import HttpRequest

from arena.accounts.models import User


class AuthorRequest(HttpRequest):
    user: User
