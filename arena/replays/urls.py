from django.urls import path, register_converter

from arena.replays import pictures, stage, views


class MatchId:
    regex = views.MATCH_ID

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(MatchId, "match")

urlpatterns = [
    path("matches/<match:public_id>/", views.match_page, name="match"),
    path("matches/<match:public_id>/embed/", views.embedded, name="match-embed"),
    path("matches/<match:public_id>/frames/<slug:view>", views.frames, name="match-frames"),
    path("matches/<match:public_id>/chances", views.chances, name="match-chances"),
    path("matches/<match:public_id>/author/<int:seat>", views.author, name="match-author"),
    path("matches/<match:public_id>/record.json", views.record_json, name="match-record-json"),
    path("matches/<match:public_id>/record.aztr", views.record_bytes, name="match-record"),
    path("matches/<match:public_id>/picture.svg", pictures.share_picture, name="match-picture"),
    path("tournaments/<slug:slug>/stage", stage.stage, name="tournament-stage"),
    path("live/", views.live_page, name="live"),
    path("live/events", views.live_events, name="live-events"),
    path("boards/<slug:board_id>.svg", pictures.board_picture, name="board-picture"),
    path("boards/<slug:board_id>.json", pictures.board_data, name="board-data"),
    path("how-to-play/", pictures.how_to_play, name="how-to-play"),
    path("how-to-play/<slug:name>.svg", pictures.explaining_picture, name="how-to-play-picture"),
]
