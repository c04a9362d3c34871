"""Teams in the API. Running a team takes the scope `account`, which a team's own tokens cannot have."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts import tokens
from arena.accounts.api import new_token_answer
from arena.accounts.authentication import NeedsAccount, NeedsBots
from arena.accounts.models import ApiToken, TeamInvitation, User
from arena.accounts.permissions import is_member, runs_team
from arena.accounts.requests import person_of
from arena.bots import selectors as bots
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.bots.serializers import BotSerializer
from arena.teams import inviting, moving, services
from arena.teams.selectors import find_team, open_invitations
from arena.teams.serializers import (
    AnswerSerializer,
    InvitationSerializer,
    InviteSerializer,
    JoinSerializer,
    MoveSerializer,
    NewInvitationSerializer,
    NewTeamTokenSerializer,
    RoleSerializer,
    TeamSerializer,
    TeamTokenSerializer,
)

FOUND = OpenApiExample("found a team", {"name": "eagle-knights"}, request_only=True)
NO_CONTENT = status.HTTP_204_NO_CONTENT


def team_data(team_id: int) -> Any:
    return TeamSerializer(User.objects.prefetch_related("members__person").get(pk=team_id)).data


def team_for(request: Request, name: str, only_owners: bool = True) -> User:
    """Return a team to somebody who runs it, or who is at least in it."""
    team = find_team(name)
    allows = runs_team if only_owners else is_member
    if not allows(request.user, team.pk):
        who = "its owners" if only_owners else "its members"
        raise PermissionDenied(f"Only {who} may do this.")
    return team


class Teams(generics.ListAPIView):
    serializer_class = TeamSerializer

    def get_permissions(self) -> list[Any]:
        return [NeedsAccount() if self.request.method == "POST" else NeedsBots()]

    def get_queryset(self) -> QuerySet[User]:
        teams = User.objects.filter(is_team=True, members__person=self.request.user.pk)
        return teams.prefetch_related("members__person").order_by("-pk")

    @extend_schema(summary="The teams that you are in")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(summary="Found a team", responses={201: TeamSerializer}, examples=[FOUND])
    def post(self, request: Request) -> Response:
        wanted = TeamSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        team = services.create_team(person_of(request), wanted.validated_data["username"])
        return Response(team_data(team.pk), status=status.HTTP_201_CREATED)


class Team(APIView):
    def get_permissions(self) -> list[Any]:
        return [AllowAny() if self.request.method == "GET" else NeedsAccount()]

    @extend_schema(summary="A team and its members", responses=TeamSerializer)
    def get(self, request: Request, name: str) -> Response:
        return Response(team_data(find_team(name).pk))

    @extend_schema(
        summary="Rename your team", request=TeamSerializer, responses=TeamSerializer, examples=[FOUND]
    )
    def patch(self, request: Request, name: str) -> Response:
        team = team_for(request, name)
        wanted = TeamSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        services.rename_team(person_of(request), team.pk, wanted.validated_data["username"])
        return Response(team_data(team.pk))

    @extend_schema(summary="Delete your team, if it has no bots", responses={204: None})
    def delete(self, request: Request, name: str) -> Response:
        services.delete_team(person_of(request), team_for(request, name).pk)
        return Response(status=NO_CONTENT)


class TeamMember(APIView):
    permission_classes = [NeedsAccount]

    @extend_schema(
        summary="Make somebody an owner or a member of your team",
        request=RoleSerializer,
        responses=TeamSerializer,
        examples=[OpenApiExample("hand over", {"role": "owner"}, request_only=True)],
    )
    def patch(self, request: Request, name: str, username: str) -> Response:
        team = team_for(request, name)
        wanted = RoleSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        person = get_object_or_404(team.members, person__username=username).person_id
        services.set_role(person_of(request), team.pk, person, wanted.validated_data["role"])
        return Response(team_data(team.pk))

    @extend_schema(summary="Leave a team, or remove somebody from yours", responses={204: None})
    def delete(self, request: Request, name: str, username: str) -> Response:
        person = person_of(request)
        if username == person.username:
            services.leave_team(person, team_for(request, name, only_owners=False).pk)
        else:
            team = team_for(request, name)
            member = get_object_or_404(team.members, person__username=username)
            services.remove_member(person, team.pk, member.person_id)
        return Response(status=NO_CONTENT)


class TeamInvitations(APIView):
    permission_classes = [NeedsAccount]

    @extend_schema(summary="The open invitations to your team", responses=InvitationSerializer(many=True))
    def get(self, request: Request, name: str) -> Response:
        invitations = open_invitations().filter(team=team_for(request, name))
        return Response(InvitationSerializer(invitations, many=True).data)

    @extend_schema(
        summary="Invite somebody by name, or make a link",
        request=InviteSerializer,
        responses={201: NewInvitationSerializer},
        examples=[OpenApiExample("by name", {"person": "itzel"}, request_only=True)],
    )
    def post(self, request: Request, name: str) -> Response:
        team = team_for(request, name)
        wanted = InviteSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        secret = None
        if invited := wanted.validated_data.get("person"):
            invitation = inviting.invite(person_of(request), team.pk, invited)
        else:
            invitation, secret = inviting.invite_by_link(person_of(request), team.pk)
        data = {**InvitationSerializer(invitation).data, "secret": secret}
        return Response(data, status=status.HTTP_201_CREATED)


class TeamInvitationDetail(APIView):
    permission_classes = [NeedsAccount]

    @extend_schema(summary="Take an invitation to your team back", responses={204: None})
    def delete(self, request: Request, name: str, pk: int) -> Response:
        inviting.revoke(person_of(request), team_for(request, name).pk, pk)
        return Response(status=NO_CONTENT)


class OwnInvitations(APIView):
    permission_classes = [NeedsAccount]

    @extend_schema(summary="The teams that invite you", responses=InvitationSerializer(many=True))
    def get(self, request: Request) -> Response:
        invitations = open_invitations().filter(person=person_of(request))
        return Response(InvitationSerializer(invitations, many=True).data)

    @extend_schema(
        summary="Join a team by its link",
        request=JoinSerializer,
        responses=TeamSerializer,
        examples=[OpenApiExample("join", {"secret": "the last part of the link"}, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        wanted = JoinSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        invitation = inviting.find_link(wanted.validated_data["secret"])
        if invitation is None:
            raise RefusedError("closed", "This invitation was used or taken back, or has expired.")
        inviting.accept(person_of(request), invitation)
        return Response(team_data(invitation.team_id))


class InvitationAnswer(APIView):
    permission_classes = [NeedsAccount]

    @extend_schema(
        summary="Accept or decline an invitation",
        operation_id="invitations_answer",
        request=AnswerSerializer,
        responses={204: None},
        examples=[OpenApiExample("accept", {"accept": True}, request_only=True)],
    )
    def post(self, request: Request, pk: int) -> Response:
        wanted = AnswerSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        person = person_of(request)
        invitation = get_object_or_404(TeamInvitation, pk=pk, person=person)
        act = inviting.accept if wanted.validated_data["accept"] else inviting.decline
        act(person, invitation)
        return Response(status=NO_CONTENT)


class TeamTokens(APIView):
    permission_classes = [NeedsAccount]

    @extend_schema(summary="The active tokens of your team", responses=TeamTokenSerializer(many=True))
    def get(self, request: Request, name: str) -> Response:
        team = team_for(request, name, only_owners=False)
        rows = ApiToken.objects.filter(user=team, revoked_at=None).select_related("maker")
        return Response(TeamTokenSerializer(rows, many=True).data)

    @extend_schema(
        summary="Create a token of your team",
        request=TeamTokenSerializer,
        responses={201: NewTeamTokenSerializer},
        examples=[
            OpenApiExample("CI", {"name": "CI", "scopes": ["bots", "private"]}, request_only=True),
        ],
    )
    def post(self, request: Request, name: str) -> Response:
        team = team_for(request, name)
        wanted = TeamTokenSerializer(data=request.data, context={"team": team})
        wanted.is_valid(raise_exception=True)
        return new_token_answer(
            team, wanted.validated_data, maker=person_of(request), serializer=TeamTokenSerializer
        )


class TeamTokenDetail(APIView):
    permission_classes = [NeedsAccount]

    @extend_schema(summary="Revoke a token of your team", responses={204: None})
    def delete(self, request: Request, name: str, pk: int) -> Response:
        team = team_for(request, name)
        get_object_or_404(ApiToken, user=team, pk=pk, revoked_at=None)
        tokens.revoke_token(team, pk)
        return Response(status=NO_CONTENT)


class MoveBot(APIView):
    permission_classes = [NeedsAccount]

    @extend_schema(
        summary="Move a bot between you and your teams",
        request=MoveSerializer,
        responses=BotSerializer,
        examples=[OpenApiExample("to a team", {"to": "eagle-knights"}, request_only=True)],
    )
    def post(self, request: Request, slug: str) -> Response:
        bot = get_object_or_404(Bot, slug=slug)
        person = person_of(request)
        owners = moving.new_owners(person, bot)
        wanted = MoveSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        to = next((one for one in owners if one.username == wanted.validated_data["to"]), None)
        if to is None:
            raise PermissionDenied("You may move your own bots, and those of teams that you own, among them.")
        moving.move_bot(person, bot.pk, to)
        return Response(BotSerializer(bots.list_bots().get(pk=bot.pk)).data)
