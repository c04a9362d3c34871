"""The queue and the match hosts in the API."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.hosts import operating


class HostSerializer(serializers.Serializer):
    name = serializers.CharField()
    sandbox = serializers.CharField()
    degraded = serializers.BooleanField()
    slots = serializers.IntegerField()
    busy = serializers.IntegerField()
    load = serializers.FloatField()
    paused = serializers.BooleanField()
    is_silent = serializers.BooleanField(help_text="Whether its heartbeats have stopped.")
    last_beat = serializers.DateTimeField()


class QueueSerializer(serializers.Serializer):
    queued = serializers.DictField(child=serializers.IntegerField(), help_text="Waiting matches by purpose.")
    running = serializers.ListField(child=serializers.CharField(), help_text="Matches that are being played.")
    oldest_wait_seconds = serializers.FloatField(allow_null=True)
    a_minute = serializers.DictField(
        child=serializers.FloatField(), help_text="Matches per minute, averaged over 1, 5 and 60 minutes."
    )
    hosts = HostSerializer(many=True)


class Queue(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="The queue and the match hosts",
        description="What is waiting, what is being played, how fast, and on which hosts.",
        responses=QueueSerializer,
    )
    def get(self, request: Request) -> Response:
        speed, waited = operating.throughput(), operating.oldest_wait()
        data = {
            "queued": dict(operating.queue_by_purpose()),
            "running": [match.public_id for match in operating.running_matches(request.user)],
            "oldest_wait_seconds": waited.total_seconds() if waited else None,
            "a_minute": {"1": speed.one, "5": speed.five, "60": speed.sixty},
            "hosts": operating.hosts(),
        }
        return Response(QueueSerializer(data).data)
