from django.urls import path

from arena.pages import views

urlpatterns = [
    path("", views.home, name="home"),
    path("favicon.ico", views.icon),
    path("bots/<slug:slug>/", views.bot_page, name="bot"),
    path("matches/", views.match_list, name="matches"),
]
