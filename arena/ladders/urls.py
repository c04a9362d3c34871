from django.urls import path

from arena.ladders import explorer_views, views

urlpatterns = [
    path("ladders/", views.ladder_list, name="ladders"),
    path("ladders/<slug:slug>/", views.ladder_page, name="ladder"),
    path("ladders/<slug:slug>/seasons/<int:number>/", views.ladder_page, name="season"),
    path("ladders/<slug:slug>/head-to-head/", views.head_to_head, name="head-to-head"),
    path("ladders/<slug:slug>/bots/<slug:bot_slug>/", views.bot_history, name="rating-history"),
    path("ladders/<slug:slug>/bots/<slug:bot_slug>/take-part", views.take_part, name="take-part"),
    path("bots/<slug:slug>/results/", explorer_views.bot_results, name="bot-results"),
    path("bots/<slug:slug>/compare/", explorer_views.compare_page, name="compare-versions"),
]
