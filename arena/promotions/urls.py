from django.urls import path

from arena.promotions import views

urlpatterns = [
    path("bots/<slug:slug>/versions/<int:number>/test", views.test_page, name="version-test"),
    path(
        "bots/<slug:slug>/versions/<int:number>/test/start",
        views.change_test,
        {"act": "start"},
        name="start-test",
    ),
    path(
        "bots/<slug:slug>/versions/<int:number>/test/stop",
        views.change_test,
        {"act": "stop"},
        name="stop-test",
    ),
]
