from django.urls import path, re_path

from arena.tournaments import desk, editing, views

urlpatterns = [
    path("tournaments/", views.tournament_list, name="tournaments"),
    path("tournaments/new", editing.create, name="tournament-create"),
    path("tournaments/<slug:slug>/", views.event, name="tournament"),
    path("tournaments/<slug:slug>/edit", editing.edit, name="tournament-edit"),
    path("tournaments/<slug:slug>/desk", desk.desk, name="tournament-desk"),
    path("tournaments/<slug:slug>/entries", views.take_part, name="tournament-entries"),
    re_path(
        r"^tournaments/(?P<slug>[-\w]+)/export\.(?P<kind>json|csv|trf)$",
        views.download,
        name="tournament-export",
    ),
]
