from django.urls import path

from arena.hosts import views

urlpatterns = [
    path("queue/", views.queue_page, name="queue"),
    path("runtimes", views.runtimes_page, name="runtimes"),
    path("operator/", views.operator_page, name="operator"),
    path("operator/matches/<slug:public_id>/rerun", views.rerun, name="operator-rerun"),
    path("operator/matches/<slug:public_id>/void", views.void, name="operator-void"),
    path("operator/hosts/<str:name>/pause", views.pause, name="operator-pause"),
    path("operator/builds/<int:version_id>/rebuild", views.rebuild, name="operator-rebuild"),
]
