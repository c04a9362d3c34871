"""The language a person reads: chosen on any page, remembered by the browser and by the account."""

from contextlib import AbstractContextManager

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from arena.accounts.models import User


def speaking_to(user: User) -> AbstractContextManager[None]:
    """Say what follows in the language that a person has chosen, not in that of whoever acts."""
    return translation.override(user.language or settings.LANGUAGE_CODE)


# Exempt, since a token in the footer would make every page personal, so that visitors could not share any.
# Another site's form comes without the session's cookie, so it can change no account.
@csrf_exempt
@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Remember a language, and go back to the page that was being read."""
    back = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    answer = HttpResponseRedirect(back if is_ours else "/")
    chosen = request.POST.get("language", "")
    if chosen in dict(settings.LANGUAGES):
        remember_in(answer, chosen)
        if isinstance(request.user, User):
            User.objects.filter(pk=request.user.pk).update(language=chosen)
    return answer


def remember_in(answer: HttpResponse, language: str) -> None:
    """Have a browser ask for this language from now on."""
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
