from django.urls import path

from arena.play import offline, views

urlpatterns = [
    path("play/", views.play_page, name="play"),
    path("play/offline/", offline.offline_page, name="play-offline"),
    path("play/offline/service-worker.js", offline.service_worker, name="play-offline-worker"),
    path("play/<match:public_id>/", views.table_page, name="table"),
    path("play/<match:public_id>/join/<str:signature>/", views.join, name="table-join"),
    path("play/<match:public_id>/events", views.events, name="table-events"),
    path("play/<match:public_id>/decide", views.decide, name="table-decide"),
    path("play/<match:public_id>/leave", views.leave, name="table-leave"),
    path("play/<match:public_id>/rematch", views.rematch, name="table-rematch"),
]
