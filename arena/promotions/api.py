"""Promotion tests in the API, for the owners of the bots alone."""

from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts.authentication import NeedsBots, NeedsPrivate
from arena.bots.models import Version
from arena.bots.views import find_version, own_bot
from arena.promotions import selectors, services
from arena.promotions.serializers import PromotionActSerializer, PromotionTestSerializer, progress_data


class PromotionTestView(APIView):
    def get_permissions(self) -> list[NeedsBots | NeedsPrivate]:
        return [NeedsBots() if self.request.method == "POST" else NeedsPrivate()]

    @extend_schema(
        summary="The latest promotion test of a version, for its author only",
        description="How a version does against the active one, set by set. 404 if it was never tested.",
        responses=PromotionTestSerializer,
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        own_bot(request, slug)
        return Response(latest(find_version(slug, number)))

    @extend_schema(
        summary="Start or stop the promotion test of a version",
        description="To promote a version by hand, activate it. Starting a test stops that of another "
        "version of the bot.",
        request=PromotionActSerializer,
        responses=PromotionTestSerializer,
        examples=[OpenApiExample("test it", {"act": "start"}, request_only=True)],
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        own_bot(request, slug)
        version = find_version(slug, number)
        wanted = PromotionActSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        acts = {"start": services.start, "stop": services.stop}
        acts[wanted.validated_data["act"]](version.pk)
        return Response(latest(version))


def latest(version: Version) -> dict[str, object]:
    test = selectors.latest_test(version)
    if test is None:
        raise Http404("This version was never tested against the active one.")
    return dict(PromotionTestSerializer(progress_data(selectors.progress_of(test))).data)
