from django.urls import path

from arena.bots import views

urlpatterns = [
    path("bots/", views.bot_list, name="bots"),
    path("bots/mine", views.my_bots, name="my-bots"),
    path("bots/new", views.create, name="new-bot"),
    path("bots/<slug:slug>/edit", views.edit, name="edit-bot"),
    path("bots/<slug:slug>/upload", views.upload, name="upload"),
    path("bots/<slug:slug>/versions/<int:number>/", views.version_page, name="version"),
    path("bots/<slug:slug>/versions/<int:number>/source", views.source, name="source"),
    path(
        "bots/<slug:slug>/versions/<int:number>/activate",
        views.change_version,
        {"act": "activate"},
        name="activate-version",
    ),
    path(
        "bots/<slug:slug>/versions/<int:number>/build",
        views.change_version,
        {"act": "build"},
        name="build-version",
    ),
    path(
        "bots/<slug:slug>/versions/<int:number>/retire",
        views.change_version,
        {"act": "retire"},
        name="retire-version",
    ),
]
