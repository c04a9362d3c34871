from django.urls import path

from arena.challenges import views

urlpatterns = [path("challenge", views.challenge_page, name="challenge")]
