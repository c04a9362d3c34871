"""Bots and versions in the API."""

from typing import Any

from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework import generics, mixins, status, viewsets
from rest_framework.exceptions import PermissionDenied
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts import limits
from arena.accounts.authentication import NeedsBots, NeedsPrivate, NeedsStaff
from arena.accounts.requests import maker_of, person_of
from arena.bots import selectors, services
from arena.bots.models import Bot, Version, VersionEvent
from arena.bots.serializers import (
    BotActSerializer,
    BotEditSerializer,
    BotFilterSerializer,
    BotSerializer,
    LogSerializer,
    UploadSerializer,
    VersionDetailSerializer,
    VersionSerializer,
)
from arena.bots.views import find_version, own_bot, source_response

BOT_EXAMPLE = OpenApiExample(
    "a new bot", {"slug": "jaguar", "name": "Jaguar", "description": "Pounces late."}, request_only=True
)


@extend_schema_view(
    list=extend_schema(summary="All bots, newest first", parameters=[BotFilterSerializer]),
    create=extend_schema(summary="Create a bot", examples=[BOT_EXAMPLE]),
    retrieve=extend_schema(summary="A bot"),
    partial_update=extend_schema(
        summary="Change your bot",
        request=BotEditSerializer,
        responses=BotSerializer,
        examples=[OpenApiExample("new words", {"description": "Pounces early."}, request_only=True)],
    ),
)
class Bots(
    mixins.ListModelMixin,
    mixins.CreateModelMixin,
    mixins.RetrieveModelMixin,
    viewsets.GenericViewSet,
):
    serializer_class = BotSerializer
    lookup_field = "slug"
    lookup_value_regex = "[a-z0-9-]{1,40}"

    def get_permissions(self) -> list[Any]:
        return [NeedsBots() if self.action in {"create", "partial_update"} else AllowAny()]

    def get_queryset(self) -> QuerySet[Bot]:
        wanted = BotFilterSerializer(data=self.request.query_params.dict() if self.action == "list" else {})
        wanted.is_valid(raise_exception=True)
        mine = wanted.validated_data.pop("mine")
        return selectors.list_bots(**wanted.validated_data, of=self.request.user if mine else None)

    def perform_create(self, serializer: Any) -> None:
        owner = serializer.validated_data.pop("team", None) or person_of(self.request)
        serializer.instance = services.create_bot(
            owner, creator=maker_of(self.request), **serializer.validated_data
        )

    def partial_update(self, request: Request, slug: str) -> Response:
        bot = own_bot(request, slug)
        serializer = BotEditSerializer(bot, data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        with services.name_once():
            serializer.save()
        return Response(BotSerializer(bot).data)


class BotActs(APIView):
    permission_classes = [NeedsStaff]

    @extend_schema(
        summary="Bench, disqualify or reinstate a bot, as staff",
        description="Its author is told the reason, and the act is recorded.",
        request=BotActSerializer,
        responses=BotSerializer,
        examples=[
            OpenApiExample("bench it", {"act": "bench", "reason": "It plays too slowly."}, request_only=True)
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        bot = get_object_or_404(Bot, slug=slug)
        wanted = BotActSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        acts = {"bench": services.bench, "disqualify": services.disqualify, "reinstate": services.reinstate}
        acts[wanted.validated_data["act"]](bot.pk, wanted.validated_data["reason"], person_of(request))
        return Response(BotSerializer(selectors.list_bots().get(pk=bot.pk)).data)


@extend_schema_view(
    get=extend_schema(summary="The versions of a bot, newest first"),
    post=extend_schema(
        summary="Upload a version",
        description="The answer is a version that is checked, or rejected with a code and a reason. Its "
        "status then shows how its build and its validation matches go.",
        request={"multipart/form-data": UploadSerializer},
        responses={201: VersionSerializer},
        examples=[OpenApiExample("a zip archive", {"archive": "@jaguar.zip"}, request_only=True)],
    ),
)
class Versions(generics.ListAPIView):
    serializer_class = VersionSerializer
    parser_classes = [MultiPartParser]

    def get_permissions(self) -> list[Any]:
        return [NeedsBots() if self.request.method == "POST" else AllowAny()]

    def get_queryset(self) -> QuerySet[Version]:
        versions = Version.objects.filter(bot__slug=self.kwargs.get("slug"))
        return versions.select_related("bot").defer("manifest")

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        answer = super().list(request, *args, **kwargs)
        if not answer.data[
            "results"
        ]:  # a bot without versions, or no such bot: rare enough for a second query
            get_object_or_404(Bot, slug=self.kwargs["slug"])
        return answer

    def post(self, request: Request, slug: str) -> Response:
        bot = own_bot(request, slug)
        serializer = UploadSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        limits.spend("upload", maker_of(request).pk)
        wanted = serializer.validated_data
        version = services.submit_version(
            uploader=maker_of(request),
            bot=bot,
            upload=wanted["archive"],
            only_when_better=wanted.get("only_when_better"),
        )
        return Response(
            VersionSerializer(version, context={"request": request}).data, status=status.HTTP_201_CREATED
        )


class VersionDetail(APIView):
    permission_classes = [AllowAny]

    @extend_schema(summary="A version with the changes of its status", responses=VersionDetailSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(
            VersionDetailSerializer(find_version(slug, number), context={"request": request}).data
        )


class Activate(APIView):
    permission_classes = [NeedsBots]

    @extend_schema(
        summary="Make a validated version the active one", request=None, responses={200: VersionSerializer}
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        own_bot(request, slug)
        services.activate(find_version(slug, number).pk)
        return Response(VersionSerializer(find_version(slug, number), context={"request": request}).data)


class Build(APIView):
    permission_classes = [NeedsBots]

    @extend_schema(
        summary="Build a version again",
        description="For a version that waits for its build, or was rejected. It counts as an upload.",
        request=None,
        responses={200: VersionSerializer},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        own_bot(request, slug)
        version = find_version(slug, number)
        limits.spend("upload", maker_of(request).pk)
        services.build_again(version.pk)
        return Response(VersionSerializer(find_version(slug, number), context={"request": request}).data)


class Retire(APIView):
    permission_classes = [NeedsBots]

    @extend_schema(summary="Retire a version permanently", request=None, responses={200: VersionSerializer})
    def post(self, request: Request, slug: str, number: int) -> Response:
        own_bot(request, slug)
        services.retire(find_version(slug, number).pk)
        return Response(VersionSerializer(find_version(slug, number), context={"request": request}).data)


class Logs(APIView):
    permission_classes = [NeedsPrivate]

    @extend_schema(
        summary="The logs of a version, for its author only",
        description="Staff may read them too; this is recorded.",
        responses=LogSerializer(many=True),
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        version = private_version(request, slug, number, "read logs")
        events = VersionEvent.objects.filter(version=version)
        return Response(LogSerializer(events, many=True).data)


class Source(APIView):
    permission_classes = [NeedsPrivate]

    @extend_schema(
        summary="The archive of a version, for its author only",
        description="Staff may download it too; this is recorded. The ETag is its SHA-256.",
        responses={(200, "application/zip"): OpenApiTypes.BINARY, 304: None},
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        version = private_version(request, slug, number, "download the source")
        if not version.archive:
            raise Http404("The archive of this version was refused and not stored.")
        tag = f'"{version.sha256}"'
        if request.headers.get("If-None-Match") == tag:
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers={"ETag": tag})
        response: FileResponse = source_response(version)
        response["ETag"] = tag
        return response


def private_version(request: Request, slug: str, number: int, what: str) -> Version:
    version = find_version(slug, number)
    if not selectors.open_private(request.user, version, what):
        raise PermissionDenied("Only its author may see this.")
    return version
