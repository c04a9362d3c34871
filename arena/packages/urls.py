from django.urls import path

from arena.packages import views

urlpatterns = [
    path("simple/", views.index, name="package-index"),
    path("simple/files/<str:sha256>/<str:name>", views.file, name="package-file"),
    path("simple/<str:name>/", views.project, name="package"),
    path("enter-a-bot", views.enter_a_bot, name="enter-a-bot"),
]
