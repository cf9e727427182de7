"""Carries out commands from standard input with the client beside argv[1]: one line of JSON each way."""

import base64
import inspect
import json
import sys
import time

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import lading  # noqa: E402


class Clock:
    """Waiting takes no time: it moves the clock, and is recorded."""

    waits: list = []

    def time(self):
        return time.time() + sum(self.waits)

    def monotonic(self):
        return time.monotonic() + sum(self.waits)

    def sleep(self, seconds):
        self.waits.append(seconds)


lading.time = clock = Clock()
warnings: list = []
kinds = {"warehouse": lading.WarehouseClient, "main": lading.MainClient, "logistics": lading.LogisticsClient}


def call(command):
    options = {**command.get("options", {}), "on_warnings": lambda found, path: warnings.append([path, found])}
    named = command.get("named", {})
    client = clients.get(command["client"]) or kinds[command["kind"]](
        command["url"], *command["credentials"], lading.Options(**options), **named
    )
    clients[command["client"]] = client
    result = getattr(client, command["method"])(*command["args"])
    return list(result) if inspect.isgenerator(result) else result


def verify(command):
    body = base64.b64decode(command["body"])
    return lading.verify_callback(command["headers"], body, command["secrets"], now=command["now"], seen=command["seen"])


def methods(_):
    return {kind: [name for name in vars(made) if not name.startswith("_")] for kind, made in kinds.items()}


def take(name):
    def taken(_):
        found = list(name)
        name.clear()
        return found

    return taken


clients: dict = {}
commands = {
    "call": call,
    "verify": verify,
    "sign": lambda c: lading.sign_request(c["account_no"], c["secret"], base64.b64decode(c["body"]), c["timestamp"]),
    "methods": methods,
    "waits": take(Clock.waits),
    "warnings": take(warnings),
    "version": lambda _: lading.VERSION,
}

for line in sys.stdin:
    command = json.loads(line)
    try:
        answer = {"ok": commands[command["do"]](command)}
    except lading.LadingError as error:
        names = ("reason", "status", "code", "trace_id", "retry_after_seconds", "errors")
        facts = {name: getattr(error, name) for name in names}
        answer = {"error": {"kind": type(error).__name__, "message": str(error), **facts}}
    except lading.CallbackError as error:
        answer = {"error": {"kind": "CallbackError", "message": str(error), "reason": error.reason}}
    except ValueError as error:
        answer = {"error": {"kind": "ArgumentError", "message": str(error)}}
    print(json.dumps(answer), flush=True)
