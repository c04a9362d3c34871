"""Explanations in the API."""

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.analysis import services
from arena.analysis.explaining import unpack
from arena.analysis.models import Explanation
from arena.analysis.selectors import open_match


class ResultSplitSerializer(serializers.Serializer):
    result = serializers.IntegerField(help_text="The result, in thousandths of a win.")
    even = serializers.IntegerField(help_text="What every seat can expect before anything is dealt.")
    luck = serializers.IntegerField(help_text="From the first turn order and the drawn cards.")
    play = serializers.IntegerField(help_text="Everything else. The three parts add up to the result.")


class ExpectationsSerializer(serializers.Serializer):
    number = serializers.IntegerField(help_text="How many actions had been played.")
    at = serializers.ListField(
        child=serializers.IntegerField(), help_text="Step and sub step of the open view."
    )
    own = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="By what each seat knew, in thousandths."
    )
    open = serializers.ListField(child=serializers.IntegerField(), help_text="By all cards, in thousandths.")


class JudgedDecisionSerializer(serializers.Serializer):
    number = serializers.IntegerField(help_text="How many actions had been played before.")
    at = serializers.ListField(child=serializers.IntegerField())
    seat = serializers.IntegerField()
    chosen = serializers.IntegerField(help_text="The action that was played.")
    best = serializers.IntegerField(help_text="The best action that was found.")
    loss = serializers.IntegerField(help_text="What the choice cost, in tenths of a point.")
    mark = serializers.CharField(allow_blank=True, help_text="`blunder`, `brilliant`, or empty.")
    tried = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="[action, tenths of a point ahead, thousandths of a win], best first.",
    )


class ExplanationSerializer(serializers.Serializer):
    worlds = serializers.IntegerField(help_text="In how many sampled worlds each decision was judged.")
    seed = serializers.CharField(help_text="With it, the same explanation can be computed again.")
    split = ResultSplitSerializer(many=True)
    curve = ExpectationsSerializer(many=True)
    decisions = JudgedDecisionSerializer(many=True)


class ExplainedMatch(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="A match explained without hindsight",
        description="Each decision judged over what its seat knew. 202 while it is being computed.",
        parameters=[OpenApiParameter("id", str, OpenApiParameter.PATH, pattern="^[a-z0-9]{1,16}$")],
        responses={200: ExplanationSerializer, 202: OpenApiResponse(description="It is being computed.")},
    )
    def get(self, request: Request, id: str) -> Response:  # noqa: A002  as the address calls it
        match, _report = open_match(request.user, id)
        found = Explanation.objects.filter(match=match).first()
        if found is None:
            if not services.is_owed(match):
                services.owe_explanation(match, services.CHEAP)
            return Response({}, status=202, headers={"Retry-After": "2"})
        return Response(unpack(bytes(found.packed)))
