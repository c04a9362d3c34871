"""The settings of the arena. Everything that differs between machines comes from the environment.

With nothing set this is a development arena on its own embedded servers; docs/operator/settings.md lists the
variables of a production one.
"""

from pathlib import Path
from typing import Any

from arena.accounts.usernames import RESERVED_NAMES
from arena.arena_env import database, networks, providers, storage
from arena.embedded.home import PROJECT, Home
from arena.site_env import LEAST_CHARACTERS, host_names, mail_server, secret, sender, site_address
from workers import env
from workers.tracing import collector

HOME = Home.from_environment()

DEBUG = env.flag("ARENA_DEBUG")
HTTPS = env.flag("ARENA_HTTPS")
# A generated key is for development; an arena that others reach over HTTPS must be given its own.
SECRET_KEY = secret("SECRET_KEY", HTTPS, LEAST_CHARACTERS) or HOME.secret("secret_key", 64)
ALLOWED_HOSTS = host_names("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.forms",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "arena.packages",
    "arena.browser",
    "arena.outbox",
    "arena.accounts",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.usersessions",
    "arena.notices",
    "arena.bots",
    "arena.teams",
    "arena.matches",
    "arena.hosts",
    "arena.ladders",
    "arena.tournaments",
    "arena.replays",
    "arena.play",
    "arena.analysis",
    "arena.discovery",
    "arena.challenges",
    "arena.promotions",
    "arena.api",
    "arena.pages",
    "arena.operations",
    "arena.demo",
]
# Other sites that people may sign in with: docs/operator/sign-in.md.
SOCIALACCOUNT_PROVIDERS = providers("ARENA_SIGN_IN_PROVIDERS")
INSTALLED_APPS += [
    f"allauth.socialaccount.providers.{kind}" for kind in sorted({"openid_connect", *SOCIALACCOUNT_PROVIDERS})
]

MIDDLEWARE = [
    "arena.operations.middleware.RequestTimer",
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "arena.accounts.security.OtherSiteDown",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "arena.pages.storable.Storable",
    "arena.accounts.known.Remember",
    "arena.csp.ContentSecurityPolicy",
    "arena.api.conditional.ConditionalApi",
]

FORM_RENDERER = "arena.pages.forms.Renderer"
ROOT_URLCONF = "arena.urls"
ASGI_APPLICATION = "arena.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "arena.pages.context.frame",
            ]
        },
    }
]

# A statement, lock or forgotten transaction that takes this long is a bug: it is ended, and the log shows it.
# A long migration sets ARENA_STATEMENT_TIMEOUT_MS=0.
TIMEOUTS = {
    "statement_timeout": env.number("ARENA_STATEMENT_TIMEOUT_MS", 15_000),
    "lock_timeout": 5_000,
    "idle_in_transaction_session_timeout": 30_000,
}
DATABASES = {"default": database("DATABASE_URL", HOME.database_url)}
DATABASES["default"]["OPTIONS"].setdefault("connect_timeout", 10)
# Most of what an arena reads is in memory. With PostgreSQL's default, made for spinning disks, it would
# rather scan 200,000 matches than fetch the 140 of one bot.
PLANNING = {"random_page_cost": 1.1}
DATABASES["default"]["OPTIONS"]["options"] = " ".join(
    f"-c {name}={value}" for name, value in (TIMEOUTS | PLANNING).items()
)
# Under ASGI each request has a thread of its own, so a connection kept open would only be left behind.
DATABASES["default"] |= {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True}
# A web process keeps a few connections for all its threads: opening one costs more than a page's queries.
if POOL := env.number("ARENA_DATABASE_POOL", 0, most=100):
    DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 1, "max_size": POOL, "timeout": 10}
# How many requests a web process answers at a time, and how long the others wait in line at most.
WEB_THREADS = env.number("ARENA_WEB_THREADS", 4, least=1, most=100)
LONGEST_WAIT_SECONDS = env.number("ARENA_LONGEST_WAIT_SECONDS", 10, least=1)
# How old a page may be that visitors without a cookie are shown, in seconds.
SHARED_SECONDS = env.number("ARENA_SHARED_SECONDS", 2)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Where people reach the arena: the links in e-mails begin with it.
SITE_URL = site_address(
    "ARENA_SITE_URL", f"http://localhost:{env.number('PORT', 8000)}", ALLOWED_HOSTS, HTTPS
)
# Nobody waits for a mail server: mails are stored, and the worker of the queue `calls` sends them through
# MAIL_BACKEND. Without a mail server it prints them.
EMAIL_BACKEND = "arena.notices.mail.Owe"
MAIL_SERVER = mail_server()
EMAIL_HOST, EMAIL_PORT = MAIL_SERVER.host, MAIL_SERVER.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL_SERVER.user, MAIL_SERVER.password
MAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_USE_TLS = env.flag("ARENA_SMTP_TLS", default=True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = sender("ARENA_MAIL_FROM", "Aztlán Arena <arena@localhost>")

REDIS_URL = env.redis_url("REDIS_URL", HOME.redis_url)
CACHES = {"default": {"BACKEND": "arena.shared_cache.RedisCache", "KEY_PREFIX": "aztlan:cache"}}

# Match hosts authenticate with this key; a development arena generates one for its own host.
HOST_KEY = secret("ARENA_HOST_KEY", HTTPS) or HOME.secret("host_key", 43)
# How long a host holds an attempt after each heartbeat; then the reaper gives it to another host.
LEASE_SECONDS = env.number("ARENA_LEASE_SECONDS", 20, least=1)
BEAT_SECONDS = env.number("ARENA_BEAT_SECONDS", 5, least=1)
if BEAT_SECONDS >= LEASE_SECONDS:
    raise env.EnvError(
        f"ARENA_LEASE_SECONDS must be more than ARENA_BEAT_SECONDS, not {LEASE_SECONDS} and {BEAT_SECONDS}: "
        "hosts would lose every match between two heartbeats."
    )
REAP_SECONDS = env.number("ARENA_REAP_SECONDS", 5, least=1)
# No attempt may last longer, even with heartbeats: all its sandboxes have ended long before.
ATTEMPT_SECONDS = env.number("ARENA_ATTEMPT_SECONDS", 900, least=1)
# After how long a message that nobody acted on may be sent again.
RESEND_SECONDS = env.number("ARENA_RESEND_SECONDS", 10, least=1)
# A worker that took owed work and is silent for this long counts as dead.
OUTBOX_LEASE_SECONDS = env.number("ARENA_OUTBOX_LEASE_SECONDS", 30, least=1)
ATTEMPTS_ALLOWED = env.number("ARENA_ATTEMPTS_ALLOWED", 5, least=1)
# What a promotion test should find, in Elo points, and how many sets of two matches it may take.
PROMOTION_ELO = env.number("ARENA_PROMOTION_ELO", 30, least=1, most=1000)
PROMOTION_SETS = env.number("ARENA_PROMOTION_SETS", 1000, least=1)
# Whether webhooks may call plain http and addresses of private networks: never where strangers set them.
WEBHOOKS_TO_PRIVATE = env.flag("ARENA_WEBHOOKS_TO_PRIVATE")
# Who may read /metrics: clients with this token; without one, only programs on this machine.
METRICS_TOKEN = env.text("ARENA_METRICS_TOKEN", "")
# Where traces of matches and errors are sent: docs/operator/watch.md.
TRACES_URL = collector("ARENA_TRACES_URL")
SENTRY_DSN = env.text("ARENA_SENTRY_DSN", "")
# For how many days bots' logs and whole records are kept; 0 keeps them forever. Results always stay.
KEEP_LOGS_DAYS = env.number("ARENA_KEEP_LOGS_DAYS", 90)
KEEP_REPLAYS_DAYS = env.number("ARENA_KEEP_REPLAYS_DAYS", 0)
# Where the nightly backups go, and how many are kept; without a folder none are made.
BACKUPS = env.text("ARENA_BACKUPS", "")
KEEP_BACKUPS = env.number("ARENA_KEEP_BACKUPS", 14, least=1)
# A development machine may lack cgroups or root, and its ladders should move all the same.
RATED_ON_DEGRADED_HOSTS = env.flag("ARENA_RATED_ON_DEGRADED_HOSTS", default=not HTTPS)

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
# Accounts, passwords and e-mail addresses are our own; second factors, passkeys, sessions and sign-in with
# other sites are allauth's: docs/adr/0037.
ACCOUNT_ADAPTER = "arena.accounts.adapters.AccountAdapter"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_FORMS = {"reauthenticate": "arena.accounts.forms.ConfirmForm"}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_PREVENT_ENUMERATION = False
ACCOUNT_RATE_LIMITS = False  # ours count instead: allauth's would refuse everybody while Redis is down
ACCOUNT_REAUTHENTICATION_TIMEOUT = env.number("ARENA_REAUTHENTICATE_SECONDS", 900, least=60)
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*"]
ACCOUNT_USERNAME_BLACKLIST = sorted(RESERVED_NAMES)
ACCOUNT_USERNAME_VALIDATORS = "arena.accounts.usernames.USERNAME_VALIDATORS"
MFA_ALLOW_UNVERIFIED_EMAIL = True  # our own confirmation is asked for instead
MFA_FORMS = {
    "authenticate": "arena.accounts.forms.CodeForm",
    "reauthenticate": "arena.accounts.forms.ConfirmByCodeForm",
    "add_webauthn": "arena.accounts.forms.PasskeyForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RATE_LIMITS = False
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Aztlán Arena"
MFA_TOTP_TOLERANCE = 1
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
SOCIALACCOUNT_ADAPTER = "arena.accounts.adapters.SocialAdapter"
SOCIALACCOUNT_AUTO_SIGNUP = False  # people choose their public name themselves
SOCIALACCOUNT_LOGIN_ON_GET = True  # a form that leads to another site would break the content security policy
# Which roles have no power until they add a second factor.
SECOND_FACTOR = env.one_of("ARENA_SECOND_FACTOR", ("nobody", "staff", "organisers"))
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "arena.accounts.authentication.BearerAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["arena.api.parsers.Json"],
    "DEFAULT_PAGINATION_CLASS": "arena.api.pagination.Cursor",
    "DEFAULT_THROTTLE_CLASSES": ["arena.api.throttles.ArenaThrottle"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "arena.api.errors.answer_error",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "TEST_REQUEST_RENDERER_CLASSES": [
        "rest_framework.renderers.JSONRenderer",
        "rest_framework.renderers.MultiPartRenderer",
    ],
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Aztlán Arena",
    "VERSION": "1",
    "DESCRIPTION": "Everything that the pages can do, for programs.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "arena.api.schema.add_errors",
    ],
    "ENUM_NAME_OVERRIDES": {
        "VersionStatus": "arena.bots.models.Status",
        "Scope": "arena.accounts.models.Scope",
        "MatchState": "arena.matches.models.match.MatchState",
        "Purpose": "arena.matches.models.match.Purpose",
        "TournamentState": "arena.tournaments.models.State",
        "PromotionState": "arena.promotions.models.PromotionState",
        "RoleEnum": ["author", "organiser", "staff"],
        "TeamRole": "arena.accounts.models.TeamMembership.Role",
    },
}

LANGUAGE_CODE = "en"
# Each with a complete catalogue in LOCALE_PATHS, and named in itself, so that its readers find it.
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("it", "Italiano")]
LOCALE_PATHS = [PROJECT / "arena" / "locale"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
TIME_ZONE = "UTC"
USE_TZ = True

# Static files are served straight from the source tree, until a deployment collects them under hashed names.
STATIC_URL = "static/"
STATIC_ROOT = env.text("ARENA_STATIC_ROOT", "") or None
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
WHITENOISE_ALLOW_ALL_ORIGINS = False  # our pages alone use them
WHITENOISE_AUTOREFRESH = DEBUG
STATICFILES_STORAGE_BACKEND = (
    "arena.static_files.ModuleStaticFilesStorage"
    if STATIC_ROOT
    else "django.contrib.staticfiles.storage.StaticFilesStorage"
)
# Where `make sdk` leaves the package that authors install, and where pip is sent for its dependencies
# (by default to the index that this machine's own pip uses).
PACKAGES = Path(env.text("ARENA_PACKAGES", str(PROJECT / "dist")))
# Where `make docs` leaves the documentation, which is served at /docs/.
DOCS = Path(env.text("ARENA_DOCS", str(PROJECT / "site")))
PACKAGE_INDEX = env.text("ARENA_PACKAGE_INDEX", "")
# Files are in this folder, or in the bucket that ARENA_STORAGE names: docs/operator/storage.md.
MEDIA_ROOT = HOME.path / "media"
STORAGES = {
    "default": storage("ARENA_STORAGE"),
    "staticfiles": {"BACKEND": STATICFILES_STORAGE_BACKEND},
}

# One switch for everything that is right with HTTPS and impossible without.
SECURE_SSL_REDIRECT = HTTPS
# Match hosts may reach the arena over a private network without TLS.
SECURE_REDIRECT_EXEMPT = [r"^host/v1/"]
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = env.number("ARENA_HSTS_SECONDS", 31_536_000) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_SECONDS > 0
SECURE_HSTS_PRELOAD = SECURE_HSTS_SECONDS > 0
# Only these may say who the client is, and whether it used HTTPS; anybody else could lie about it.
PROXIES = networks("ARENA_PROXIES")
if env.text("ARENA_BEHIND_PROXY", ""):
    raise env.EnvError("ARENA_BEHIND_PROXY is no longer read: name the proxies in ARENA_PROXIES.")
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "arena.pages.errors.csrf_failure"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "workers.logs.formatter"}},
    "filters": {"worth": {"()": "arena.operations.log_filter.WorthLogging"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["worth"]}},
    "root": {"handlers": ["console"], "level": env.level("ARENA_LOG_LEVEL")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "celery": {"level": "WARNING"},  # otherwise every task is logged three times
        "psycopg.pool": {"level": "ERROR"},  # it logs every failed try; the visitor is told in one sentence
    },
}
