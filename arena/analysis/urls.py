from django.urls import path

from arena.analysis import views

urlpatterns = [
    path("matches/<match:public_id>/explained", views.explained, name="match-explained"),
    path("matches/<match:public_id>/champion/<int:number>", views.champion, name="match-champion"),
    path("matches/<match:public_id>/analysis/", views.analysis_page, name="match-analysis"),
    path("matches/<match:public_id>/analysis/try", views.try_actions, name="match-try"),
    path("matches/<match:public_id>/variations/", views.variations, name="match-variations"),
    path("matches/<match:public_id>/variations/<slug:key>/", views.variation_page, name="match-variation"),
    path("matches/<match:public_id>/continuations/", views.continuations, name="match-continuations"),
    path(
        "matches/<match:public_id>/continuations/<slug:key>/",
        views.continuation_page,
        name="match-continuation",
    ),
    path(
        "matches/<match:public_id>/continuations/<slug:key>/result",
        views.continuation_result,
        name="match-continuation-result",
    ),
    path(
        "matches/<match:public_id>/continuations/<slug:key>/stop",
        views.stop_continuation,
        name="match-continuation-stop",
    ),
    path("bots/<slug:slug>/decisions/", views.decisions_page, name="bot-decisions"),
]
