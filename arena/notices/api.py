"""Your notices and webhooks in the API."""

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework import generics, mixins, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts.authentication import NeedsAccount
from arena.accounts.models import User
from arena.accounts.requests import person_of
from arena.notices import addresses, webhooks
from arena.notices.models import Notice, Webhook, WebhookDelivery

MOST_CALLS = 20
WEBHOOK_EXAMPLE = OpenApiExample("a receiver", {"url": "https://example.org/matches"}, request_only=True)


class NoticeSerializer(serializers.ModelSerializer):
    class Meta:
        model = Notice
        fields = ("id", "text", "link", "created_at", "read_at")
        read_only_fields = fields


@extend_schema(summary="Your notices, newest first")
class Notices(generics.ListAPIView):
    serializer_class = NoticeSerializer
    permission_classes = [NeedsAccount]

    def get_queryset(self) -> QuerySet[Notice]:
        if not self.request.user.is_authenticated:
            return Notice.objects.none()
        return Notice.objects.filter(user=self.request.user)


class NoticesRead(APIView):
    permission_classes = [NeedsAccount]

    @extend_schema(summary="Mark your notices as read", request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        Notice.objects.filter(user=person_of(request), read_at=None).update(read_at=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


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
            raise ValidationError(
                "You already have this webhook, or the maximum number of webhooks.", code="webhooks"
            )
        return webhook


class CallSerializer(serializers.ModelSerializer):
    class Meta:
        model = WebhookDelivery
        fields = ("event", "subject", "created_at", "delivered_at", "tries", "answer")
        read_only_fields = fields


@extend_schema_view(
    list=extend_schema(summary="Your webhooks"),
    create=extend_schema(
        summary="Add a webhook, which is called when one of your matches is over", examples=[WEBHOOK_EXAMPLE]
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

    @extend_schema(
        summary="The latest calls of a webhook, and the answers", responses=CallSerializer(many=True)
    )
    @action(detail=True, pagination_class=None)
    def calls(self, request: Request, pk: str) -> Response:
        return Response(CallSerializer(self.get_object().deliveries.all()[:MOST_CALLS], many=True).data)
