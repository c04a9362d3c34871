from django.urls import path

from arena.hosts import host_api

urlpatterns = [
    path("hosts/<str:name>/beat", host_api.beat_host, name="host-beat"),
    path("attempts/<int:attempt_id>/claim", host_api.claim, name="host-claim"),
    path("attempts/<int:attempt_id>/beat", host_api.beat, name="host-attempt-beat"),
    path("attempts/<int:attempt_id>/frames", host_api.show_frames, name="host-frames"),
    path("attempts/<int:attempt_id>/give-back", host_api.give_back, name="host-give-back"),
    path("attempts/<int:attempt_id>/report", host_api.report, name="host-report"),
    path("archives/<str:token>", host_api.archive, name="host-archive"),
]
