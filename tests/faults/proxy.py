"""A proxy between a match host and the arena that repeats reports, or cuts the host off."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Proxy:
    """Forwards every call; delivers each report `repeats` times; `is_cut` lets nothing through."""

    def __init__(self, port: int) -> None:
        self.repeats = 1
        self.is_cut = False
        self.reports = 0
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if proxy.is_cut:
                    self.close_connection = True
                    return
                is_report = self.path.endswith("/report")
                for _ in range(proxy.repeats if is_report else 1):
                    proxy.reports += is_report
                    status, headers, answer = proxy.call(
                        port, self.command, self.path, body, dict(self.headers)
                    )
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                if "X-Content-SHA256" in headers:
                    self.send_header("X-Content-SHA256", headers["X-Content-SHA256"])
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST = forward  # noqa: N815  as http.server calls them

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @staticmethod
    def call(
        port: int, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, dict(response.headers), response.read()
        finally:
            connection.close()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
