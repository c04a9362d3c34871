"""The pages of allauth that the arena uses, and the names by which allauth finds pages of ours.

We do not include its own tables of addresses: most of their pages have one of ours in their place.
"""

from allauth.account.views import reauthenticate
from allauth.mfa.base import views as factors
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as keys
from allauth.socialaccount import views as sites
from allauth.urls import build_provider_urlpatterns
from django.contrib.auth.views import LogoutView
from django.urls import include, path

from arena.accounts import security, views
from arena.accounts.security import needs_confirmed, needs_readable_credential

SECOND_FACTOR = [
    path("authenticate", needs_readable_credential(factors.authenticate), name="mfa_authenticate"),
    path("reauthenticate", factors.reauthenticate, name="mfa_reauthenticate"),
    path("app/set-up", needs_confirmed(totp.activate_totp), name="mfa_activate_totp"),
    path("app/turn-off", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("codes", codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("codes/new", codes.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("codes/download", codes.download_recovery_codes, name="mfa_download_recovery_codes"),
    path(
        "passkeys/add",
        needs_confirmed(needs_readable_credential(keys.add_webauthn)),
        name="mfa_add_webauthn",
    ),
    path("passkeys/sign-in", needs_readable_credential(keys.login_webauthn), name="mfa_login_webauthn"),
    path(
        "passkeys/reauthenticate",
        needs_readable_credential(keys.reauthenticate_webauthn),
        name="mfa_reauthenticate_webauthn",
    ),
    path("passkeys/<int:pk>/remove", keys.remove_webauthn, name="mfa_remove_webauthn"),
    path("passkeys/<int:pk>/rename", keys.edit_webauthn, name="mfa_edit_webauthn"),
]
NAMES = [
    path("sign-in", views.SignIn.as_view(), name="account_login"),
    path("sign-in", views.SignIn.as_view(), name="account_inactive"),
    path("sign-out", LogoutView.as_view(), name="account_logout"),
    path("sign-up", views.sign_up, name="account_signup"),
    path("security", security.security, name="mfa_index"),
    path("security", security.security, name="mfa_list_webauthn"),
]
urlpatterns = [
    *NAMES,
    path("reauthenticate", reauthenticate, name="account_reauthenticate"),
    path("second-factor/", include(SECOND_FACTOR)),
    path("sites", sites.connections, name="socialaccount_connections"),
    path("sites/sign-up", sites.signup, name="socialaccount_signup"),
    *build_provider_urlpatterns(),
]
