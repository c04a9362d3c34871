"""The runtime in the API."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.hosts.proven_runtime import runtime_here


class ComponentSerializer(serializers.Serializer):
    name = serializers.CharField()
    what = serializers.CharField()
    module = serializers.CharField(help_text="What a Python bot imports; empty for what is not imported.")
    least = serializers.CharField(help_text="The earliest version that is promised.")
    below = serializers.CharField(help_text="The version that is not reached any more; empty for none.")
    versions = serializers.CharField(help_text="Both in words.")
    here = serializers.ListField(
        child=serializers.CharField(), help_text="The versions on this arena's match hosts."
    )


class RuntimeLanguageSerializer(serializers.Serializer):
    language = serializers.CharField()
    hosts = serializers.IntegerField(help_text="How many hosts have proved that they play such bots.")
    components = ComponentSerializer(many=True)


class RuntimeSerializer(serializers.Serializer):
    name = serializers.CharField(help_text="The name that versions pin when they are validated.")
    languages = RuntimeLanguageSerializer(many=True)


class RuntimeView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="What bots get",
        description="The runtime that bots are promised, and what this arena's match hosts have of it.",
        responses=RuntimeSerializer,
    )
    def get(self, request: Request) -> Response:
        return Response(RuntimeSerializer(runtime_here()).data)
