from django.urls import path

from arena.play import table_api

urlpatterns = [
    path("beat", table_api.beat, name="host-tables-beat"),
    path("news", table_api.news, name="host-tables-news"),
    path("<int:attempt_id>/claim", table_api.claim, name="host-table-claim"),
    path("<int:attempt_id>/actions", table_api.record_actions, name="host-table-actions"),
]
