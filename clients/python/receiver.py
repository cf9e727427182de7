import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from lading import CallbackError, RecentEvents, verify_callback

secrets = os.environ["LADING_CALLBACK_SECRET"].split()  # During a rotation: both, with a space between.
seen = RecentEvents()  # With a database, look up callback["event_id"] there instead.


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            callback = verify_callback(self.headers, body, secrets, seen=seen)
        except CallbackError as error:
            print("CallbackError:", error, file=sys.stderr)
            self.answer(400, str(error))
            return
        if not callback["duplicate"]:
            print(callback["event"], callback["document_no"], callback["status"], flush=True)  # Store it here.
            seen.add(callback["event_id"])
        self.answer(200, "")

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


ThreadingHTTPServer(("127.0.0.1", 9090), Receiver).serve_forever()
