from django.urls import path

from arena.play import hints, offline, table_pages, views

urlpatterns = [
    path("play/", views.play_page, name="play"),
    path("play/first-game/", table_pages.first_game, name="first-game"),
    path("play/challenge/", table_pages.challenge, name="daily-challenge"),
    path("play/challenge/<str:day>/", table_pages.challenge, name="past-challenge"),
    path("play/people/", table_pages.people, name="people"),
    path("play/offline/", offline.offline_page, name="play-offline"),
    path("play/offline/service-worker.js", offline.service_worker, name="play-offline-worker"),
    path("play/<match:public_id>/", views.table_page, name="table"),
    path("play/<match:public_id>/join/<str:signature>/", views.join, name="table-join"),
    path("play/<match:public_id>/events", views.events, name="table-events"),
    path("play/<match:public_id>/decide", views.decide, name="table-decide"),
    path("play/<match:public_id>/hint", hints.hint, name="table-hint"),
    path("play/<match:public_id>/leave", views.leave, name="table-leave"),
    path("play/<match:public_id>/rematch", views.rematch, name="table-rematch"),
]
