from django.urls import path

from arena.pages import docs_pages, views

urlpatterns = [
    path("", views.home, name="home"),
    path("favicon.ico", views.icon),
    path("bots/<slug:slug>/", views.bot_page, name="bot"),
    path("docs/", docs_pages.docs_page, name="docs"),
    path("docs/<path:name>", docs_pages.docs_page, name="docs-page"),
    path("matches/", views.match_list, name="matches"),
]
