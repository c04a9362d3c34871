from django.urls import path

from arena.teams import token_views, views

urlpatterns = [
    path("teams/", views.my_teams, name="my-teams"),
    path("teams/<str:name>/", views.team_page, name="team"),
    path("teams/<str:name>/manage", views.manage, name="manage-team"),
    path("teams/<str:name>/delete", views.delete, name="delete-team"),
    path("teams/<str:name>/leave", views.leave, name="leave-team"),
    path("teams/<str:name>/members/<str:username>", views.change_member, name="change-member"),
    path("teams/<str:name>/invitations/<int:pk>/revoke", views.revoke_invitation, name="revoke-invitation"),
    path("teams/<str:name>/tokens", token_views.team_tokens, name="team-tokens"),
    path(
        "teams/<str:name>/tokens/<int:token_id>/revoke",
        token_views.revoke_team_token,
        name="revoke-team-token",
    ),
    path("team-invitations/<int:pk>", views.answer_invitation, name="answer-invitation"),
    path("join-team/<str:secret>", views.join, name="join-team"),
    path("bots/<slug:slug>/move", views.move, name="move-bot"),
]
