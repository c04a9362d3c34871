"""An OpenID Connect provider in this process, which signs its own tokens."""

import base64
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "arena", "an open secret"


class IdentityProvider(ThreadingHTTPServer):
    """Everybody who comes is `person`; nobody is asked for a password."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.person: dict[str, Any] = {"sub": "42", "email": "ana@example.org", "email_verified": True}

    def authorize(self, address: str) -> str:
        """Return where the browser that came to this address is sent back to."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert (query["client_id"], query["response_type"]) == (CLIENT, "code")
        assert query["code_challenge_method"] == "S256"
        back = urlsplit(query["redirect_uri"])
        return f"{back.path}?{urlencode({'code': 'once', 'state': query['state']})}"


class Answers(BaseHTTPRequestHandler):
    server: IdentityProvider

    def do_GET(self) -> None:
        url = self.server.url
        if self.path == "/.well-known/openid-configuration":
            return self.say(
                {
                    "issuer": url,
                    "authorization_endpoint": f"{url}/authorize",
                    "token_endpoint": f"{url}/token",
                    "userinfo_endpoint": f"{url}/userinfo",
                    "jwks_uri": f"{url}/keys",
                    "token_endpoint_auth_methods_supported": ["client_secret_post"],
                }
            )
        if self.path == "/keys":
            numbers = self.server.key.public_key().public_numbers()
            return self.say(
                {
                    "keys": [
                        {"kty": "RSA", "kid": "1", "alg": "RS256", "n": b64(numbers.n), "e": b64(numbers.e)}
                    ]
                }
            )
        assert self.headers["Authorization"] == "Bearer access"
        return self.say(self.server.person)

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        assert (form["client_secret"], form["code"]) == ([SECRET], ["once"])
        assert form["code_verifier"]
        now = int(time.time())
        claims = {
            **self.server.person,
            "iss": self.server.url,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 60,
            "jti": secrets.token_hex(8),
        }
        token = jwt.encode(claims, self.server.key, "RS256", {"kid": "1"})
        self.say({"access_token": "access", "token_type": "Bearer", "id_token": token})

    def say(self, body: dict[str, Any]) -> None:
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args: Any) -> None:
        pass


def b64(number: int) -> str:
    return base64.urlsafe_b64encode(number.to_bytes((number.bit_length() + 7) // 8)).rstrip(b"=").decode()


@contextmanager
def running_provider() -> Iterator[IdentityProvider]:
    server = IdentityProvider()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
