"""All addresses of the API. Apps add their views here."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from arena.accounts import api as accounts
from arena.analysis import api as analysis
from arena.api import description, docs
from arena.bots import api as bots
from arena.challenges import api as challenges
from arena.computing import computes
from arena.discovery import api as discovery
from arena.hosts import queue_api, runtime_api
from arena.ladders import api as ladders
from arena.ladders import explorer_api
from arena.matches import api as matches
from arena.notices import api as notices
from arena.promotions import api as promotions
from arena.replays import api as replays
from arena.teams import api as teams
from arena.tournaments import api as tournaments

router = SimpleRouter(trailing_slash=False, use_regex_path=True)
router.register("bots", bots.Bots, "api-bots")
router.register("ladders", ladders.Ladders, "api-ladders")
router.register("webhooks", notices.Webhooks, "api-webhooks")
router.register("matches", matches.Matches, "api-matches")

VERSION = "bots/<slug:slug>/versions/<int:number>"

v1 = [
    path("me", accounts.Me.as_view(), name="api-me"),
    path("authors/<str:username>", accounts.Author.as_view(), name="api-author"),
    path("tokens", accounts.Tokens.as_view({"get": "list", "post": "create"}), name="api-tokens"),
    path("tokens/<int:pk>", accounts.Tokens.as_view({"delete": "destroy"}), name="api-token"),
    path("teams", teams.Teams.as_view(), name="api-teams"),
    path("teams/<str:name>", teams.Team.as_view(), name="api-team"),
    path("teams/<str:name>/members/<str:username>", teams.TeamMember.as_view(), name="api-team-member"),
    path("teams/<str:name>/invitations", teams.TeamInvitations.as_view(), name="api-team-invitations"),
    path(
        "teams/<str:name>/invitations/<int:pk>",
        teams.TeamInvitationDetail.as_view(),
        name="api-team-invitation",
    ),
    path("teams/<str:name>/tokens", teams.TeamTokens.as_view(), name="api-team-tokens"),
    path("teams/<str:name>/tokens/<int:pk>", teams.TeamTokenDetail.as_view(), name="api-team-token"),
    path("invitations", teams.OwnInvitations.as_view(), name="api-invitations"),
    path("invitations/<int:pk>", teams.InvitationAnswer.as_view(), name="api-invitation"),
    path("bots/<slug:slug>/move", teams.MoveBot.as_view(), name="api-move-bot"),
    path("sign-in", accounts.SignIn.as_view(), name="api-sign-in"),
    path("notices", notices.Notices.as_view(), name="api-notices"),
    path("search", discovery.SearchEverything.as_view(), name="api-search"),
    path("follows", discovery.Follows.as_view(), name="api-follows"),
    path("follows/stop", discovery.Unfollow.as_view(), name="api-unfollow"),
    path("notices/read", notices.NoticesRead.as_view(), name="api-notices-read"),
    path("bots/<slug:slug>/acts", bots.BotActs.as_view(), name="api-bot-acts"),
    path("bots/<slug:slug>/results", computes(explorer_api.BotResults.as_view()), name="api-bot-results"),
    path("bots/<slug:slug>/compare", computes(explorer_api.CompareVersions.as_view()), name="api-compare"),
    path("bots/<slug:slug>/versions", bots.Versions.as_view(), name="api-versions"),
    path(VERSION, bots.VersionDetail.as_view(), name="api-version"),
    path(f"{VERSION}/activate", bots.Activate.as_view(), name="api-activate"),
    path(f"{VERSION}/build", bots.Build.as_view(), name="api-build"),
    path(f"{VERSION}/test", promotions.PromotionTestView.as_view(), name="api-version-test"),
    path(f"{VERSION}/retire", bots.Retire.as_view(), name="api-retire"),
    path(f"{VERSION}/logs", bots.Logs.as_view(), name="api-logs"),
    path(f"{VERSION}/source", bots.Source.as_view(), name="api-source"),
    path("matches/<slug:id>/acts", matches.MatchActs.as_view(), name="api-match-acts"),
    path("matches/<slug:id>/logs", matches.MatchLogs.as_view(), name="api-match-logs"),
    path("matches/<slug:id>/replay", replays.Replay.as_view(), name="api-replay"),
    path("matches/<slug:id>/explained", analysis.ExplainedMatch.as_view(), name="api-explained"),
    path("matches/<slug:id>/messages", replays.SeatMessages.as_view(), name="api-messages"),
    path("runtime", runtime_api.RuntimeView.as_view(), name="api-runtime"),
    path("challenges", challenges.Challenges.as_view(), name="api-challenges"),
    path("tournaments", tournaments.Tournaments.as_view(), name="api-tournaments"),
    path("tournaments/<slug:slug>", tournaments.TournamentDetail.as_view(), name="api-tournament"),
    path(
        "tournaments/<slug:slug>/export",
        computes(tournaments.TournamentExport.as_view()),
        name="api-tournament-export",
    ),
    path(
        "tournaments/<slug:slug>/standings",
        tournaments.TournamentStandings.as_view(),
        name="api-tournament-standings",
    ),
    path("tournaments/<slug:slug>/acts", tournaments.TournamentActs.as_view(), name="api-tournament-acts"),
    path(
        "tournaments/<slug:slug>/entries",
        tournaments.TournamentEntries.as_view(),
        name="api-tournament-entries",
    ),
    path("ladders/<slug:slug>/standings", ladders.Standings.as_view(), name="api-standings"),
    path("ladders/<slug:slug>/results", ladders.Results.as_view(), name="api-results"),
    path("ladders/<slug:slug>/head-to-head", computes(ladders.HeadToHead.as_view()), name="api-head-to-head"),
    path("ladders/<slug:slug>/bots/<slug:bot>", ladders.LadderEntry.as_view(), name="api-entry"),
    path(
        "ladders/<slug:slug>/bots/<slug:bot>/history",
        computes(ladders.History.as_view()),
        name="api-history",
    ),
    path("queue", queue_api.Queue.as_view(), name="api-queue"),
    *router.urls,
    path("schema", description.schema_file, name="api-schema"),
    path("docs", docs.docs_page, name="api-docs"),
]

urlpatterns = [path("api/v1/", include(v1))]
