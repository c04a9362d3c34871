from django.contrib.auth.views import (
    LogoutView,
    PasswordResetCompleteView,
    PasswordResetDoneView,
)
from django.urls import include, path
from django.views.generic import RedirectView

from arena.accounts import languages, security, views

urlpatterns = [
    path("accounts/sign-up", views.sign_up, name="sign-up"),
    path("accounts/sign-in", views.SignIn.as_view(), name="sign-in"),
    path("accounts/sign-out", LogoutView.as_view(), name="sign-out"),
    path("accounts/confirm/<str:token>", views.confirm, name="confirm-email"),
    path("accounts/confirm-again", views.confirm_again, name="confirm-again"),
    path("accounts/reset", views.Reset.as_view(), name="password_reset"),
    path(
        "accounts/reset/sent",
        PasswordResetDoneView.as_view(template_name="accounts/reset_sent.html"),
        name="password_reset_done",
    ),
    path(
        "accounts/reset/done",
        PasswordResetCompleteView.as_view(template_name="accounts/reset_done.html"),
        name="password_reset_complete",
    ),
    path(
        "accounts/reset/<uidb64>/<token>",
        views.ResetConfirm.as_view(),
        name="password_reset_confirm",
    ),
    path("accounts/language", languages.choose_language, name="language"),
    path("accounts/security", security.security, name="security"),
    path("accounts/sessions/<int:pk>/end", security.end_session, name="end-session"),
    path("accounts/sessions/end-others", security.end_others, name="end-other-sessions"),
    path("accounts/export", security.export, name="export-account"),
    path("accounts/delete", security.leave, name="delete-account"),
    path("accounts/", include("arena.accounts.allauth_urls")),
    path("admin/login/", views.StaffSignIn.as_view()),
    # The administration's own page knows neither limits nor tokens.
    path("admin/password_change/", RedirectView.as_view(pattern_name="settings")),
    path("accounts/settings", views.settings_page, name="settings"),
    path("accounts/tokens", views.tokens_page, name="tokens"),
    path("accounts/tokens/<int:token_id>/revoke", views.revoke, name="revoke-token"),
    path("authors/<str:username>/", views.author, name="author"),
]
