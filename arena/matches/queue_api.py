"""The queue, the match hosts and an author's webhooks in the API."""

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts.authentication import NeedsAccount
from arena.accounts.models import User
from arena.matches import addresses, operating, webhooks
from arena.matches.models import Webhook, WebhookDelivery

MOST_CALLS = 20
WEBHOOK_EXAMPLE = OpenApiExample("a receiver", {"url": "https://example.org/matches"}, request_only=True)


class HostSerializer(serializers.Serializer):
    name = serializers.CharField()
    sandbox = serializers.CharField()
    degraded = serializers.BooleanField()
    slots = serializers.IntegerField()
    busy = serializers.IntegerField()
    load = serializers.FloatField()
    paused = serializers.BooleanField()
    is_silent = serializers.BooleanField(help_text="Whether it has stopped beating.")
    last_beat = serializers.DateTimeField()


class QueueSerializer(serializers.Serializer):
    queued = serializers.DictField(child=serializers.IntegerField(), help_text="Waiting matches by purpose.")
    running = serializers.ListField(child=serializers.CharField(), help_text="Matches that are played now.")
    oldest_wait_seconds = serializers.FloatField(allow_null=True)
    a_minute = serializers.DictField(child=serializers.FloatField(), help_text="Over 1, 5 and 60 minutes.")
    hosts = HostSerializer(many=True)


class Queue(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="The queue and the match hosts",
        description="What waits, what is played, how fast, and by whom.",
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


class WebhookSerializer(serializers.ModelSerializer):
    class Meta:
        model = Webhook
        fields = ("id", "url", "secret", "created_at", "failures", "paused_until", "stopped_at")
        read_only_fields = ("id", "secret", "created_at", "failures", "paused_until", "stopped_at")

    def validate_url(self, url: str) -> str:
        try:
            addresses.check_url(url)
        except addresses.AddressError as error:
            raise ValidationError(str(error), code="address") from error
        return url

    def create(self, values: dict[str, str]) -> Webhook:
        webhook = webhooks.add(self.context["request"].user, values["url"])
        if webhook is None:
            raise ValidationError("You have this one already, or as many as are allowed.", code="webhooks")
        return webhook


class CallSerializer(serializers.ModelSerializer):
    class Meta:
        model = WebhookDelivery
        fields = ("event", "subject", "created_at", "delivered_at", "tries", "answer")
        read_only_fields = fields


@extend_schema_view(
    list=extend_schema(summary="Your webhooks"),
    create=extend_schema(
        summary="Have an address called when a match of yours is over", examples=[WEBHOOK_EXAMPLE]
    ),
    destroy=extend_schema(summary="Delete a webhook"),
)
class Webhooks(
    mixins.ListModelMixin,
    mixins.CreateModelMixin,
    mixins.DestroyModelMixin,
    viewsets.GenericViewSet,
):
    permission_classes = [NeedsAccount]
    serializer_class = WebhookSerializer

    def get_queryset(self) -> QuerySet[Webhook]:
        user = self.request.user
        return Webhook.objects.filter(owner=user if isinstance(user, User) else None).order_by("-id")

    @extend_schema(summary="Its latest calls, and what was answered", responses=CallSerializer(many=True))
    @action(detail=True, pagination_class=None)
    def calls(self, request: Request, pk: str) -> Response:
        return Response(CallSerializer(self.get_object().deliveries.all()[:MOST_CALLS], many=True).data)
