from django.urls import path
from django.views.decorators.http import require_safe

from arena.discovery import feeds, link_cards, views

urlpatterns = [
    path("search/", views.search_page, name="search"),
    path("accounts/following", views.following, name="following"),
    path("bots/<slug:slug>/follow", views.follow_bot, name="follow-bot"),
    path("tournaments/<slug:slug>/follow", views.follow_event, name="follow-event"),
    path("matches/<match:public_id>/card.png", link_cards.match_card, name="match-card"),
    path("bots/<slug:slug>/card.png", link_cards.bot_card, name="bot-card"),
    path("tournaments/<slug:slug>/card.png", link_cards.event_card, name="event-card"),
    path("ladders/<slug:slug>/card.png", link_cards.ladder_card, name="ladder-card"),
    path("matches/feed.atom", require_safe(feeds.LatestMatches()), name="matches-feed"),
    path("tournaments/feed.atom", require_safe(feeds.LatestEvents()), name="events-feed"),
    path("bots/<slug:slug>/feed.atom", require_safe(feeds.BotMatches()), name="bot-feed"),
    path("tournaments/<slug:slug>/feed.atom", require_safe(feeds.EventMatches()), name="event-feed"),
    path("ladders/<slug:slug>/feed.atom", require_safe(feeds.LadderMatches()), name="ladder-feed"),
]
