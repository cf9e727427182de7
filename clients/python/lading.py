"""
The client of Lading, an order management service, for Python 3.9 or newer. One file without dependencies.

    from lading import WarehouseClient

    warehouse = WarehouseClient("https://lading.example", "DEMO", os.environ["LADING_SECRET"])
    warehouse.product_sync({"sku_id": "TEA-1", "sku_name": "Oolong tea", "storage_type": 1})

The guide is docs/clients.md, on a running service /docs/guides/clients. Licence: Apache-2.0.
"""

# The client trusts the types of the responses.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import base64
import binascii
import email.message
import email.utils
import hashlib
import hmac
import http.client
import json
import random
import re
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any, Callable, Container, Dict, Iterable, Iterator, List, Literal, Mapping
from typing import Optional, Sequence, Type, TypedDict, TypeVar, Union, cast

VERSION = "0.1.0"

_Entry = TypeVar("_Entry")
_FIRST_WAIT_SECONDS = 0.25
_WAIT_MAX_SECONDS = 20.0
_TOKEN_MARGIN_MAX_SECONDS = 30.0
_BATCH_MAX = 100
_STOCK_QUERY_BATCH_MAX = 1000
_KEY_BYTES_MIN = 16
# They describe the connection of a request. With them, a copy of all headers of a rejected request could not be sent.
_HEADERS_OF_CONNECTION = frozenset(
    "host connection keep-alive proxy-connection content-length transfer-encoding accept-encoding expect te trailer"
    " upgrade".split()
)


# Errors


class LadingError(Exception):
    """The base class of all errors of a call."""

    def __init__(
        self,
        reason: str,
        *,
        status: Optional[int] = None,
        code: Optional[str] = None,
        trace_id: Optional[str] = None,
        retry_after_seconds: Optional[float] = None,
        errors: Sequence[ErrorItem] = (),
    ) -> None:
        super().__init__(reason if trace_id is None else f"{reason} (trace_id {trace_id})")
        self.reason = reason
        """The message of the service. str(error) also contains the trace id, so that every log includes it."""
        self.status = status
        """The HTTP status; None if there was no response."""
        self.code = code
        """The code of the warehouse API, such as PARAM_INVALID; None in other APIs."""
        self.trace_id = trace_id
        """Quote it when you report a problem: with it, the operator can find the request."""
        self.retry_after_seconds = retry_after_seconds
        """The delay requested by the service; None if there is none."""
        self.errors: List[ErrorItem] = list(errors)
        """All errors that the service found; empty if there was no response."""


class RefusedError(LadingError):
    """The request is invalid and nothing was changed. An identical request will be rejected again."""


class UnauthorizedError(LadingError):
    """Authentication failed (401, or no token was issued), or the permission is missing (403)."""


class UnavailableError(LadingError):
    """
    Too many requests, an error of the service, or no response, after all retries. The request may have taken effect;
    send the same request again later.
    """


class CallbackError(Exception):
    """Raised for an invalid callback. Respond with 4xx, and do not use the body."""

    def __init__(self, reason: CallbackRefusal, message: str) -> None:
        super().__init__(message)
        self.reason = reason


CallbackRefusal = Literal[
    "missing_header",
    "malformed_timestamp",
    "too_old",
    "too_new",
    "no_known_version",
    "wrong_signature",
    "not_json",
]


# Sending


@dataclass(frozen=True)
class Options:
    """Options of every client."""

    timeout_seconds: float = 15
    """How long an attempt waits for the connection, and for each part of the response."""
    retries_max: int = 4
    """The maximum number of retries of a repeatable request."""
    on_warnings: Optional[Callable[[List[WarningItem], str], None]] = None
    """
    Called with the warnings and the path of a response: fields that the service does not know (UAT accounts only), or
    a repeated number with a different body.
    """
    opener: Optional[urllib.request.OpenerDirector] = None
    """For another proxy than the one in the environment, or other certificates. It must not follow redirects."""


@dataclass(frozen=True)
class _Call:
    path: str
    body: bytes
    headers: Callable[[bytes], Mapping[str, str]]
    """Created for every attempt, because a signature contains its time."""
    repeatable: bool
    """Whether the request may be repeated even if it may already have taken effect."""


@dataclass(frozen=True)
class _Answer:
    url: str
    status: int
    trace_id: Optional[str]
    retry_after_seconds: Optional[float]
    json: Any

    def part(self, name: str) -> Any:
        return self.json.get(name) if isinstance(self.json, dict) else None


@dataclass(frozen=True)
class _NoAnswer:
    reason: str
    cause: Exception
    never_sent: bool


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_default_opener = urllib.request.build_opener(_NoRedirects)


class _Sender:
    """Sends requests with a timeout for each attempt, and retries them if that is safe."""

    def __init__(self, url: str, options: Optional[Options]) -> None:
        self._url = url.rstrip("/")
        self._options = options or Options()

    def send(self, call: _Call) -> _Answer:
        tries = 1
        while True:
            outcome = self._attempt(call)
            if isinstance(outcome, _Answer):
                may_repeat, asked_to_wait = _is_worth_repeating(outcome, call), outcome.retry_after_seconds or 0
            else:
                may_repeat, asked_to_wait = outcome.never_sent or call.repeatable, 0
            if may_repeat and tries <= self._options.retries_max and asked_to_wait <= _WAIT_MAX_SECONDS:
                time.sleep(_wait_seconds(tries, asked_to_wait))
                tries += 1
                continue
            if isinstance(outcome, _Answer):
                self._report_warnings(call, outcome)
                return outcome
            raise UnavailableError(f"no answer from {self._url}{call.path}: {outcome.reason}") from outcome.cause

    def _attempt(self, call: _Call) -> Union[_Answer, _NoAnswer]:
        url = self._url + call.path
        headers = {"content-type": "application/json", "user-agent": f"lading-python/{VERSION}"}
        request = urllib.request.Request(url, call.body, {**headers, **call.headers(call.body)}, method="POST")
        timeout = self._options.timeout_seconds
        try:
            with self._open(request, timeout) as response:
                return _Answer(
                    url,
                    response.status,
                    response.headers.get("trace-id"),
                    _seconds_of(response.headers.get("retry-after")),
                    _parsed(response.read()),
                )
        except (OSError, http.client.HTTPException) as error:
            cause = error.reason if isinstance(error, urllib.error.URLError) else error
            if isinstance(cause, (TimeoutError, socket.timeout)):
                return _NoAnswer(f"none within {timeout:g} s", error, False)
            # There was no connection, so the request cannot have taken effect.
            never_sent = isinstance(cause, (ConnectionRefusedError, socket.gaierror))
            return _NoAnswer(str(cause) or type(cause).__name__, error, never_sent)

    def _open(self, request: urllib.request.Request, timeout: float) -> Any:
        try:
            return (self._options.opener or _default_opener).open(request, timeout=timeout)
        except urllib.error.HTTPError as response:
            return response

    def _report_warnings(self, call: _Call, answer: _Answer) -> None:
        found = answer.part("data") or answer.part("retval")
        warnings = found.get("warnings") if isinstance(found, dict) else None
        if warnings and self._options.on_warnings:
            self._options.on_warnings(warnings, call.path)


def _is_worth_repeating(answer: _Answer, call: _Call) -> bool:
    """
    A 429 means that the request was not processed; a 5xx may mean that it was. "Not enabled" is not retried, because
    it would not change.
    """
    if answer.status == 429:
        return True
    return answer.status >= 500 and call.repeatable and answer.part("code") != "LST-TPW-5030"


def _wait_seconds(tries: int, retry_after_seconds: float) -> float:
    """Exponential backoff with jitter, but never less than the service requests."""
    longest = min(_FIRST_WAIT_SECONDS * 2**tries, _WAIT_MAX_SECONDS)
    return max(longest * (0.5 + random.random() / 2), retry_after_seconds + random.random() * _FIRST_WAIT_SECONDS)


def _seconds_of(retry_after: Optional[str]) -> Optional[float]:
    """Parses Retry-After, which is a number of seconds or a date."""
    if not retry_after:
        return None
    if re.fullmatch(r"[0-9]+", retry_after):
        return float(retry_after)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _serialised(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _error_of(
    answer: _Answer, message: Optional[str], errors: Optional[Sequence[ErrorItem]], code: Optional[str] = None
) -> LadingError:
    """Creates the error for an unsuccessful response."""
    status = answer.status
    reason = message or f"HTTP {status} without an answer of the service; is the address right?"
    kind: Type[LadingError] = UnavailableError
    if status in (401, 403):
        kind = UnauthorizedError
    elif 400 <= status < 500 and status != 429:
        kind = RefusedError
    return kind(
        f"{reason}: {answer.url}" if status == 404 else reason,
        status=status,
        code=code,
        trace_id=answer.trace_id,
        retry_after_seconds=answer.retry_after_seconds,
        errors=errors or (),
    )


def _retval_of(answer: _Answer) -> Any:
    """The response envelope of the main API and the logistics webhook. The latter has its errors in `retval`."""
    if answer.part("done") is True:
        return answer.part("retval")
    retval = answer.part("retval")
    errors = answer.part("errors") or (retval.get("errors") if isinstance(retval, dict) else None)
    raise _error_of(answer, answer.part("msg"), errors)


def _batches(entries: Iterable[_Entry], size: int) -> Iterator[List[_Entry]]:
    every = list(entries)
    for start in range(0, len(every), size):
        yield every[start : start + size]


def _require_texts(url: str, **texts: str) -> None:
    """Reports a missing option, such as an environment variable that is not set, before anything is sent."""
    for name, value in {"url": url, **texts}.items():
        if not isinstance(value, str) or value == "":
            raise ValueError(f"{name} is missing")
    for name, value in texts.items():
        if value.endswith("..."):
            raise ValueError(f"{name} is still the placeholder from the guide: replace it with your own value")
    if not re.match(r"https?://[^/]", url):
        raise ValueError("url must be a URL such as https://lading.example")


# The warehouse API


def sign_request(
    account_no: str, secret: str, body: Union[str, bytes], timestamp: Union[int, str, None] = None
) -> Dict[str, str]:
    """
    The three headers of the warehouse API: lowercase hex of HMAC-SHA256 over the exact bytes that will be sent,
    directly followed by the timestamp (Unix seconds; the current time by default).
    """
    message = body.encode() if isinstance(body, str) else body
    seconds = str(int(time.time()) if timestamp is None else timestamp)
    sign = hmac.new(secret.encode(), message + seconds.encode(), hashlib.sha256).hexdigest()
    return {"account-no": account_no, "timestamp": seconds, "sign": sign}


class WarehouseClient:
    """
    The warehouse API. Every attempt is signed. All methods can be repeated safely, because numbers are idempotency
    keys.
    """

    def __init__(
        self,
        url: str,
        account_no: str,
        secret: str,
        options: Optional[Options] = None,
        *,
        base_path: str = "/warehouse/v1",
    ) -> None:
        _require_texts(url, account_no=account_no, secret=secret)
        self._sender = _Sender(url, options)
        self._account_no = account_no
        self._secret = secret
        self._base_path = base_path

    def product_sync(self, body: ProductSyncBody) -> ProductSynced:
        return self._call("/product/sync", body)

    def inbound_create(self, body: InboundCreateBody) -> InboundCreated:
        """`duplicate`: the number was already used; these are the numbers of the unchanged original."""
        return self._create_inbound("/inbound/create", body)

    def inbound_return(self, body: InboundReturnBody) -> InboundCreated:
        return self._create_inbound("/inbound/return", body)

    def inbound_cancel(self, numbers: Iterable[str]) -> List[InboundCancelResult]:
        """Returns one result per number, in the order given; more than 100 are split into several requests."""
        batches = _batches(numbers, _BATCH_MAX)
        return [r for b in batches for r in self._call("/inbound/cancel", {"inbound_short_ids": b})["results"]]

    def outbound_create(self, body: OutboundCreateBody) -> OutboundCreated:
        """`idempotent`: the number was already used, and this is the original order."""
        return self._call("/outbound/create", body)

    def outbound_cancel(self, numbers: Iterable[str]) -> List[OutboundCancelResult]:
        """Returns one result per number, in the order given; more than 100 are split into several requests."""
        batches = _batches(numbers, _BATCH_MAX)
        return [r for b in batches for r in self._call("/outbound/cancel", {"outbound_short_ids": b})["results"]]

    def stock_query(self, sku_ids: Iterable[str], warehouse_tpw_id: Optional[str] = None) -> List[StockDetail]:
        """
        Returns one row per sku, stock type, batch and expiry date; more than 1,000 skus are split into several
        requests. With `warehouse_tpw_id`, only what that tenant can sell.
        """
        tenant = {} if warehouse_tpw_id is None else {"warehouse_tpw_id": warehouse_tpw_id}
        rows: List[StockDetail] = []
        for batch in _batches(dict.fromkeys(sku_ids), _STOCK_QUERY_BATCH_MAX):
            rows += self._call("/stock/query", {"sku_ids": batch, **tenant})["stock_details"]
        return rows

    def diagnose(self, headers: Mapping[str, str], body: Union[str, bytes]) -> DiagnoseData:
        """
        Asks why the signature of this request was rejected, with the headers and the body that were sent. Only UAT
        accounts get an answer, a few times per minute. The secret of this client is not used.
        """
        sent = body.encode() if isinstance(body, str) else body
        kept = {name: value for name, value in headers.items() if name.lower() not in _HEADERS_OF_CONNECTION}
        call = _Call(f"{self._base_path}/diagnose", sent, lambda _: kept, repeatable=True)
        return self._data_of(self._sender.send(call))

    def _create_inbound(self, path: str, body: Mapping[str, Any]) -> Any:
        answer = self._send(path, body)
        duplicate = answer.part("code") == "LST-TPW-2001"
        # A duplicate has the form of a rejection, but is a success.
        data = answer.part("data") if duplicate else self._data_of(answer)
        kept = {name: value for name, value in data.items() if name not in ("success", "errors")}
        return {**kept, "duplicate": duplicate}

    def _call(self, path: str, body: Mapping[str, Any]) -> Any:
        data = self._data_of(self._send(path, body))
        return {name: value for name, value in data.items() if name != "success"}

    def _send(self, path: str, body: Mapping[str, Any]) -> _Answer:
        def signed(sent: bytes) -> Dict[str, str]:
            return sign_request(self._account_no, self._secret, sent)

        return self._sender.send(_Call(self._base_path + path, _serialised(body), signed, repeatable=True))

    @staticmethod
    def _data_of(answer: _Answer) -> Any:
        data = answer.part("data")
        if answer.part("success") is True:
            return data
        errors = data.get("errors") if isinstance(data, dict) else None
        raise _error_of(answer, answer.part("message"), errors, answer.part("code"))


# The main API


class _AccessToken:
    """Caches a token until it expires; concurrent callers share one renewal."""

    def __init__(self, sender: _Sender, client_id: str, check_value: str) -> None:
        self._sender = sender
        self._credentials = {"ClientId": client_id, "CheckValue": check_value}
        self._lock = threading.Lock()
        self._token = ""
        self._renew_at = 0.0

    def current(self) -> str:
        with self._lock:
            if self._token == "" or time.monotonic() >= self._renew_at:
                self._renew()
            return self._token

    def forget(self, token: str) -> None:
        """Discards a token that the service rejected, unless another thread has already renewed it."""
        with self._lock:
            if self._token == token:
                self._token = ""

    def _renew(self) -> None:
        asked_at = time.monotonic()
        body = _serialised(self._credentials)
        answer = self._sender.send(_Call("/api/v1/token/getToken", body, lambda _: {}, repeatable=True))
        # Wrong credentials are reported with HTTP 200.
        if answer.status == 200 and answer.part("done") is False:
            raise UnauthorizedError(
                answer.part("msg"), status=200, trace_id=answer.trace_id, errors=answer.part("errors") or ()
            )
        retval = _retval_of(answer)
        margin = min(_TOKEN_MARGIN_MAX_SECONDS, retval["expires_in"] / 10)
        self._token, self._renew_at = retval["access_token"], asked_at + retval["expires_in"] - margin


class _SearchPageRequired(TypedDict):
    rows: List[Any]
    next_cursor: Optional[str]


class SearchPage(_SearchPageRequired, total=False):
    total: int
    total_is_more: bool


SearchList = Literal["stocks", "products", "orders", "inbounds", "callbacks"]

_search_paths: Dict[str, str] = {
    "stocks": "/getStocksData/searchList",
    "products": "/getProductsData/searchList",
    "orders": "/getOrdersData/searchList",
    "inbounds": "/getInboundsData/searchList",
    "callbacks": "/getCallbacksData/searchList",
}


class MainClient:
    """
    The main API. The client gets its access token automatically, caches it until shortly before it expires, and renews
    it once if it is rejected. Threads may share a client.
    """

    def __init__(self, url: str, client_id: str, check_value: str, options: Optional[Options] = None) -> None:
        _require_texts(url, client_id=client_id, check_value=check_value)
        self._sender = _Sender(url, options)
        self._access_token = _AccessToken(self._sender, client_id, check_value)

    def search_stocks(self, search: Optional[StocksSearch] = None) -> Iterator[StockRow]:
        """Stock by lot, from all pages."""
        return self._search("stocks", search)

    def search_products(self, search: Optional[ProductsSearch] = None) -> Iterator[ProductRow]:
        return self._search("products", search)

    def search_orders(self, search: Optional[OrdersSearch] = None) -> Iterator[OrderRow]:
        """Orders from all channels and all pages."""
        return self._search("orders", search)

    def search_inbounds(self, search: Optional[InboundsSearch] = None) -> Iterator[InboundRow]:
        return self._search("inbounds", search)

    def search_callbacks(self, search: Optional[CallbacksSearch] = None) -> Iterator[CallbackRow]:
        """Callbacks and their attempts, from all pages."""
        return self._search("callbacks", search)

    def search_page(self, name: SearchList, search: Optional[Mapping[str, Any]] = None) -> SearchPage:
        """One page of a list. `total: True` in the search adds `total` and `total_is_more`."""
        return self._call(_search_paths[name], search or {})

    def orders_create(self, body: OutboundCreateBody) -> OrdersCreateRetval:
        return self._call("/orders/create", body)

    def orders_cancel(self, body: OrdersCancelBody) -> List[OrdersCancelResult]:
        """Returns one result per number, those of `outbound_short_ids` first; more than 100 are split."""
        return self._cancel("/orders/cancel", body, "outbound_short_ids", "internal_names")

    def orders_update(self, orders: Iterable[OrderUpdate]) -> List[OrdersUpdateResult]:
        """Returns one result per order, in the order given; more than 100 are split into several requests."""
        return self._results("/orders/update", "orders", orders)

    def orders_hold(self, orders: Iterable[OrderHold]) -> List[OrdersHoldResult]:
        """Orders on hold are not handed over to their warehouse. Returns one result per order."""
        return self._results("/orders/hold", "orders", orders)

    def orders_release(self, orders: Iterable[OrderRelease]) -> List[OrdersReleaseResult]:
        return self._results("/orders/release", "orders", orders)

    def inbounds_receive(self, body: InboundsReceiveBody) -> InboundsReceiveRetval:
        """Reports received goods. Retried only with a `receipt_no`: without one, every request adds units."""
        return self._call("/inbounds/receive", body, repeatable=bool(body.get("receipt_no")))

    def inbounds_stop(self, body: InboundsStopBody) -> InboundsStopRetval:
        return self._call("/inbounds/stop", body)

    def inbounds_cancel(self, body: InboundsCancelBody) -> List[InboundsCancelResult]:
        """Returns one result per number, those of `inbound_short_ids` first; more than 100 are split."""
        return self._cancel("/inbounds/cancel", body, "inbound_short_ids", "form_nos")

    def fulfilment_advance(self, orders: Iterable[AdvanceReport]) -> List[AdvanceResult]:
        """Returns one result per report, in the order given; more than 100 are split into several requests."""
        return self._results("/fulfilment/advance", "orders", orders)

    def callbacks_redeliver(self, body: CallbacksRedeliverBody) -> CallbacksRedeliverRetval:
        """Redelivers callbacks; not retried after a timeout, because each request redelivers them again."""
        return self._call("/callbacks/redeliver", body, repeatable=body.get("dry_run") is True)

    def products_update(self, body: ProductsUpdateBody) -> ProductsUpdateRetval:
        """Sets barcodes and locations of products; a repeat has no further effect."""
        return self._call("/products/update", body)

    def stocks_adjust(self, body: StocksAdjustBody) -> StocksAdjustRetval:
        """Adds or removes units, or sets them to a count; a repeat with the same `reference_no` is safe."""
        return self._call("/stocks/adjust", body)

    def stocks_move(self, body: StocksMoveBody) -> StocksMoveRetval:
        """Moves free units between warehouses; a repeat with the same `reference_no` is safe."""
        return self._call("/stocks/move", body)

    def callbacks_test(self, body: CallbackTestBody) -> CallbackTestRetval:
        """Sends a callback for an event that has not happened; each request sends another one."""
        return self._call("/callbacks/test", body, repeatable=False)

    def _search(self, name: SearchList, search: Optional[Mapping[str, Any]]) -> Iterator[Any]:
        asked: Dict[str, Any] = dict(search or {})
        while True:
            page = self.search_page(name, asked)
            yield from page["rows"]
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]

    def _cancel(self, path: str, body: Mapping[str, Any], *names: str) -> List[Any]:
        return [result for name in names for result in self._results(path, name, body.get(name) or ())]

    def _results(self, path: str, name: str, entries: Iterable[Any]) -> List[Any]:
        return [r for batch in _batches(entries, _BATCH_MAX) for r in self._call(path, {name: batch})["results"]]

    def _call(self, path: str, body: Mapping[str, Any], repeatable: bool = True) -> Any:
        used = ""

        def authorized(_: bytes) -> Dict[str, str]:
            nonlocal used
            used = self._access_token.current()
            return {"authorization": f"Bearer {used}"}

        call = _Call(f"/api/v2/default{path}", _serialised(body), authorized, repeatable)
        answer = self._sender.send(call)
        if answer.status != 401:
            return _retval_of(answer)
        self._access_token.forget(used)
        return _retval_of(self._sender.send(call))


# The logistics webhook


class LogisticsClient:
    """
    The logistics webhook. Orders and forms can be repeated safely: the same number with the same body returns
    `idempotent: True`. `segment` is the path segment that the operator uses instead of `logistics`.
    """

    def __init__(
        self, url: str, api_key: str, options: Optional[Options] = None, *, segment: str = "logistics"
    ) -> None:
        _require_texts(url, api_key=api_key)
        self._sender = _Sender(url, options)
        self._api_key = api_key
        self._segment = segment

    def shipping_order(self, body: ShippingOrderBody) -> ShippingOrderRetval:
        """Sends a shipping order; if stock is insufficient, it waits (`awaiting_stock`)."""
        return self._call("/orders/order", body)

    def inbound_form(self, body: InboundFormBody) -> InboundFormRetval:
        """Sends an inbound form, a return form, or (with `form_type` 3) a form that stops receiving."""
        return self._call("/purchases/purchase", body)

    def test_callback(self, body: CallbackTestBody) -> CallbackTestRetval:
        """Sends a callback for an event that has not happened; each request sends another one."""
        return self._call("/callbacks/test", body, repeatable=False)

    def _call(self, path: str, body: Mapping[str, Any], repeatable: bool = True) -> Any:
        def authorized(_: bytes) -> Dict[str, str]:
            return {"authorization": self._api_key}

        call = _Call(f"/{self._segment}{path}", _serialised(body), authorized, repeatable)
        return _retval_of(self._sender.send(call))


# Callbacks


def verify_callback(
    headers: Union[Mapping[str, Any], email.message.Message],
    body: Union[str, bytes],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: int = 300,
    seen: Container[str] = (),
    now: Optional[float] = None,
) -> CallbackBody:
    """
    Returns the callback if it has a recent signature by one of the secrets, according to the Standard Webhooks
    specification; otherwise raises a CallbackError. `body` is what arrived: parsing and serializing it again would
    change its bytes. While the secret is being rotated, `secrets` has the new one and the previous one. `seen` has the
    events already processed: a RecentEvents or a set. The result has the additional field `duplicate`: the event was
    already processed; respond with 200 anyway.
    """
    keys = [_key_of(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("secrets is missing")
    received = body.encode() if isinstance(body, str) else bytes(body)
    event_id = _header_of(headers, "webhook-id")
    timestamp = _header_of(headers, "webhook-timestamp")
    signatures = _header_of(headers, "webhook-signature")
    _check_time(timestamp, tolerance_seconds, time.time() if now is None else now)

    given = [one.encode() for one in signatures.split(" ") if one.startswith("v1,")]
    if not given:
        raise CallbackError("no_known_version", "webhook-signature has no signature of version v1")
    message = f"{event_id}.{timestamp}.".encode() + received
    expected = [b"v1," + base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()) for key in keys]
    if not any(hmac.compare_digest(one, other) for one in given for other in expected):
        raise CallbackError(
            "wrong_signature",
            "the signature does not match: another secret, or other bytes than those that were signed",
        )

    callback = _parsed(received)
    if not isinstance(callback, dict):
        raise CallbackError("not_json", "the body is not a JSON object")
    callback["duplicate"] = callback.get("event_id") in seen
    return cast("CallbackBody", callback)


class RecentEvents:
    """
    Remembers recent events in memory. Add an event after processing it, so that it can be delivered again if
    processing fails. Threads may share it.
    """

    def __init__(self, remembered_max: int = 10_000) -> None:
        self._events: Dict[str, None] = {}
        self._remembered_max = remembered_max
        self._lock = threading.Lock()

    def __contains__(self, event_id: object) -> bool:
        return event_id in self._events

    def add(self, event_id: str) -> None:
        with self._lock:
            self._events[event_id] = None
            if len(self._events) > self._remembered_max:
                del self._events[next(iter(self._events))]


def _header_of(headers: Union[Mapping[str, Any], email.message.Message], name: str) -> str:
    """Header names are case-insensitive, and a value may be a list."""
    for key, value in headers.items():
        if key.lower() == name and value:
            return value if isinstance(value, str) else " ".join(value)
    raise CallbackError("missing_header", f"the header {name} is missing")


def _check_time(timestamp: str, tolerance_seconds: int, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise CallbackError("malformed_timestamp", "webhook-timestamp is not a time in Unix seconds")
    age_seconds = int(now) - int(timestamp)
    if age_seconds > tolerance_seconds:
        raise CallbackError("too_old", f"it was signed {age_seconds} s ago: check the clock of this machine")
    if -age_seconds > tolerance_seconds:
        raise CallbackError("too_new", f"it was signed {-age_seconds} s in the future; check the clock")


def _key_of(secret: str) -> bytes:
    """Rejects values that are not secrets, so that they do not result in a guessable key."""
    text = re.sub(r"^whsec_", "", (secret or "").strip())
    if text == "":
        raise ValueError("secrets is missing")
    if re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", text):
        try:
            bare = text.rstrip("=")
            key = base64.b64decode(bare + "=" * (-len(bare) % 4))
            if len(key) >= _KEY_BYTES_MIN:
                return key
        except binascii.Error:
            pass
    raise ValueError("secrets: a callback secret is whsec_ followed by base64")


# The types of all requests and responses; the reference describes their fields.

# types: npm run generate


class WarningItem(TypedDict):
    code: str
    path: str
    message: str


class ErrorItem(TypedDict):
    code: str
    path: str
    message: str
    doc_url: str


class _ProductSyncBodyRequired(TypedDict):
    sku_id: str
    sku_name: str
    storage_type: Literal[1, 2, 3, 4]


class ProductSyncBody(_ProductSyncBodyRequired, total=False):
    length: Optional[float]
    width: Optional[float]
    height: Optional[float]
    weight: Optional[float]
    sku_images: Optional[List[str]]


class _InboundCreateBodyDetailExpireRequired(TypedDict):
    qty: int


class InboundCreateBodyDetailExpire(_InboundCreateBodyDetailExpireRequired, total=False):
    expire_date: Optional[str]


class _InboundCreateBodyDetailRequired(TypedDict):
    sku_id: str
    expires: List[InboundCreateBodyDetailExpire]


class InboundCreateBodyDetail(_InboundCreateBodyDetailRequired, total=False):
    qty: Optional[int]


class _InboundCreateBodyRequired(TypedDict):
    inbound_short_id: str
    warehouse_tpw_id: str
    details: List[InboundCreateBodyDetail]


class InboundCreateBody(_InboundCreateBodyRequired, total=False):
    estimated_arrival_time: Optional[int]


class _InboundReturnBodyDetailExpireRequired(TypedDict):
    qty: int


class InboundReturnBodyDetailExpire(_InboundReturnBodyDetailExpireRequired, total=False):
    expire_date: Optional[str]


class _InboundReturnBodyDetailRequired(TypedDict):
    sku_id: str
    expires: List[InboundReturnBodyDetailExpire]


class InboundReturnBodyDetail(_InboundReturnBodyDetailRequired, total=False):
    qty: Optional[int]


class _InboundReturnBodyRequired(TypedDict):
    inbound_short_id: str
    warehouse_tpw_id: str
    details: List[InboundReturnBodyDetail]
    outbound_short_id: str


class InboundReturnBody(_InboundReturnBodyRequired, total=False):
    estimated_arrival_time: Optional[int]


class InboundCancelResult(TypedDict):
    stock_in_sn: str
    status: Literal["cancelled", "not_found", "cannot_cancel_after_receiving"]


class OutboundCreateBodyDetail(TypedDict):
    sku_id: str
    qty: int


class _OutboundCreateBodyRequired(TypedDict):
    outbound_short_id: str
    warehouse_tpw_id: str
    consignee_country: Literal["TW"]
    logistics_type: str
    express_type: str
    details: List[OutboundCreateBodyDetail]


class OutboundCreateBody(_OutboundCreateBodyRequired, total=False):
    consignee_name: Optional[str]
    consignee_phone: Optional[str]
    consignee_address: Optional[str]
    consignee_zip: Optional[str]


class OutboundCancelResult1(TypedDict):
    outbound_short_id: str
    status: Literal["cancelled", "not_found"]


class OutboundCancelResult2(TypedDict):
    outbound_short_id: str
    status: Literal["cannot_cancel_after_picking"]
    code: Literal["LST-TPW-6001"]


OutboundCancelResult = Union[OutboundCancelResult1, OutboundCancelResult2]


class _StockDetailRequired(TypedDict):
    sku_id: str
    status: Literal["ok", "not_found"]
    batch_id: str
    qty: int
    qty_lock: int
    qty_available: int


class StockDetail(_StockDetailRequired, total=False):
    stock_type: Literal["good", "bad"]
    warehouse_no: int
    expire_date: str


class DiagnoseDataFinding(TypedDict):
    code: str
    message: str


class DiagnoseData(TypedDict):
    signature_matches: bool
    findings: List[DiagnoseDataFinding]


class StocksSearchProductsStockSkuId(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class StocksSearchProductsStockBatchId(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class StocksSearchProductsStockExpireDate(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


class StocksSearchProductsStockQty(TypedDict, total=False):
    gte: int
    gt: int
    lte: int
    lt: int
    ne: int


class StocksSearchProductsStockQtyAvailable(TypedDict, total=False):
    gte: int
    gt: int
    lte: int
    lt: int
    ne: int


class StocksSearchProductsStockWarehouseNo(TypedDict, total=False):
    gte: int
    gt: int
    lte: int
    lt: int
    ne: int


class StocksSearchProductsStockStockType(TypedDict, total=False):
    ne: Literal["good", "bad"]


StocksSearch = TypedDict(
    "StocksSearch",
    {
        "products_stock.sku_id": Optional[Union[str, List[str], StocksSearchProductsStockSkuId]],
        "products_stock.batch_id": Optional[Union[str, List[str], StocksSearchProductsStockBatchId]],
        "products_stock.expire_date": Optional[Union[str, List[str], StocksSearchProductsStockExpireDate]],
        "products_stock.qty": Optional[Union[int, List[int], StocksSearchProductsStockQty]],
        "products_stock.qty_available": Optional[Union[int, List[int], StocksSearchProductsStockQtyAvailable]],
        "products_stock.warehouse_no": Optional[Union[int, List[int], StocksSearchProductsStockWarehouseNo]],
        "products_stock.stock_type": Optional[Union[Literal["good", "bad"], List[Literal["good", "bad"]],
            StocksSearchProductsStockStockType]],
        "page_size": Optional[int],
        "cursor": Optional[str],
        "sort": Optional[str],
        "total": Optional[bool],
    },
    total=False,
)


class StockRow(TypedDict):
    warehouse_no: int
    sku_id: str
    stock_type: Literal["good", "bad"]
    batch_id: str
    expire_date: Optional[str]
    qty: int
    qty_lock: int
    qty_available: int


class ProductsSearchProductsSkuId(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class ProductsSearchProductsSkuName(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class ProductsSearchProductsUpdatedAt(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


class ProductsSearchProductsCreatedAt(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


ProductsSearch = TypedDict(
    "ProductsSearch",
    {
        "products.products_id": Optional[Union[int, List[int]]],
        "products.sku_id": Optional[Union[str, List[str], ProductsSearchProductsSkuId]],
        "products.sku_name": Optional[Union[str, List[str], ProductsSearchProductsSkuName]],
        "products.updated_at": Optional[Union[str, List[str], ProductsSearchProductsUpdatedAt]],
        "products.created_at": Optional[Union[str, List[str], ProductsSearchProductsCreatedAt]],
        "products.storage_type": Optional[Union[str, List[str]]],
        "page_size": Optional[int],
        "cursor": Optional[str],
        "sort": Optional[str],
        "total": Optional[bool],
    },
    total=False,
)


class ProductRowCode(TypedDict):
    code: str
    units: int


class ProductRowLocation(TypedDict):
    warehouse_no: int
    location: str


class ProductRow(TypedDict):
    products_id: int
    sku_id: str
    sku_name: str
    storage_type: str
    length: Optional[float]
    width: Optional[float]
    height: Optional[float]
    weight: Optional[float]
    codes: List[ProductRowCode]
    locations: List[ProductRowLocation]
    created_at: str
    updated_at: str


class OrdersSearchOrdersOutboundShortId(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class OrdersSearchOrdersInternalName(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class OrdersSearchOrdersShipmentNo(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class OrdersSearchOrdersName(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class OrdersSearchOrdersHeldAt(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


class OrdersSearchOrdersConsigneeName(TypedDict, total=False):
    prefix: str


class OrdersSearchOrdersUpdatedAt(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


class OrdersSearchOrdersCreatedAt(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


class OrdersSearchOrdersStatus(TypedDict, total=False):
    ne: Literal["awaiting_stock", "pending_warehouse_transfer", "in_warehouse", "picking", "packed",
        "partially_shipped", "shipped", "arrived", "delivered", "undelivered", "cancelled"]


class OrdersSearchOrdersWarehouseNo(TypedDict, total=False):
    gte: int
    gt: int
    lte: int
    lt: int
    ne: int


class OrdersSearchOrdersStoreNo(TypedDict, total=False):
    gte: int
    gt: int
    lte: int
    lt: int
    ne: int


class OrdersSearchOrdersChannel(TypedDict, total=False):
    ne: Literal["warehouse", "main", "logistics"]


OrdersSearch = TypedDict(
    "OrdersSearch",
    {
        "orders.orders_id": Optional[Union[str, List[str]]],
        "orders.outbound_short_id": Optional[Union[str, List[str], OrdersSearchOrdersOutboundShortId]],
        "orders.internal_name": Optional[Union[str, List[str], OrdersSearchOrdersInternalName]],
        "orders.shipment_no": Optional[Union[str, List[str], OrdersSearchOrdersShipmentNo]],
        "orders.name": Optional[Union[str, List[str], OrdersSearchOrdersName]],
        "orders.held_at": Optional[Union[str, List[str], OrdersSearchOrdersHeldAt]],
        "orders.consignee_phone": Optional[Union[str, List[str]]],
        "orders.consignee_name": Optional[Union[str, List[str], OrdersSearchOrdersConsigneeName]],
        "orders.sku_id": Optional[Union[str, List[str]]],
        "orders.updated_at": Optional[Union[str, List[str], OrdersSearchOrdersUpdatedAt]],
        "orders.created_at": Optional[Union[str, List[str], OrdersSearchOrdersCreatedAt]],
        "orders.status": Optional[Union[Literal["awaiting_stock", "pending_warehouse_transfer", "in_warehouse",
            "picking", "packed", "partially_shipped", "shipped", "arrived", "delivered", "undelivered", "cancelled"],
            List[Literal["awaiting_stock", "pending_warehouse_transfer", "in_warehouse", "picking", "packed",
            "partially_shipped", "shipped", "arrived", "delivered", "undelivered", "cancelled"]],
            OrdersSearchOrdersStatus]],
        "orders.warehouse_no": Optional[Union[int, List[int], OrdersSearchOrdersWarehouseNo]],
        "orders.store_no": Optional[Union[int, List[int], OrdersSearchOrdersStoreNo]],
        "orders.channel": Optional[Union[Literal["warehouse", "main", "logistics"], List[Literal["warehouse", "main",
            "logistics"]], OrdersSearchOrdersChannel]],
        "page_size": Optional[int],
        "cursor": Optional[str],
        "sort": Optional[str],
        "total": Optional[bool],
    },
    total=False,
)


class OrderRowParcelItem(TypedDict):
    sku_id: str
    qty: int
    batch_id: str
    expire_date: Optional[str]


class OrderRowParcel(TypedDict):
    shipment_no: str
    carrier: Optional[str]
    shipped_at: str
    items: List[OrderRowParcelItem]


class OrderRowShort(TypedDict):
    sku_id: str
    qty: int


class OrderRowDetailItem(TypedDict):
    name: Optional[str]
    storage_type: Optional[str]
    price: Optional[float]
    batch: Optional[str]
    identifier: Optional[str]
    combo_sku: Optional[str]


class OrderRowDetail(TypedDict):
    sku_id: str
    qty: int
    item: Optional[OrderRowDetailItem]


class OrderRowShipping(TypedDict):
    customer_name: str
    delivery_charge: float
    city: Optional[str]
    note: Optional[str]
    callback_url: Optional[str]
    store_pickup_label_data: Optional[Dict[str, Any]]


class OrderRowReturn(TypedDict):
    stock_in_no: str
    status: Literal["expected", "receiving", "received", "cancelled", "stopped"]


class OrderRowChange(TypedDict):
    kind: Literal["update", "hold", "release"]
    status: Literal["made", "requested", "refused"]
    at: str
    by: str
    trace_id: Optional[str]
    fields: List[str]
    old_values: Optional[Dict[str, Any]]
    new_values: Optional[Dict[str, Any]]
    reason: Optional[str]
    answered_at: Optional[str]
    message: Optional[str]


OrderRowTimeline = TypedDict(
    "OrderRowTimeline",
    {
        "event": Literal["create", "allocate", "transfer", "pick", "pack", "ship_part", "ship", "arrive", "deliver",
            "fail", "cancel"],
        "from": Optional[Literal["awaiting_stock", "pending_warehouse_transfer", "in_warehouse", "picking", "packed",
            "partially_shipped", "shipped", "arrived", "delivered", "undelivered", "cancelled"]],
        "to": Literal["awaiting_stock", "pending_warehouse_transfer", "in_warehouse", "picking", "packed",
            "partially_shipped", "shipped", "arrived", "delivered", "undelivered", "cancelled"],
        "at": str,
        "by": Optional[str],
        "trace_id": Optional[str],
    },
)


class OrderRow(TypedDict):
    orders_id: str
    outbound_short_id: Optional[str]
    internal_name: Optional[str]
    name: Optional[str]
    status: Literal["awaiting_stock", "pending_warehouse_transfer", "in_warehouse", "picking", "packed",
        "partially_shipped", "shipped", "arrived", "delivered", "undelivered", "cancelled"]
    channel: Literal["warehouse", "main", "logistics"]
    warehouse_no: int
    store_no: int
    shipment_no: Optional[str]
    carrier: Optional[str]
    parcels: List[OrderRowParcel]
    short: List[OrderRowShort]
    undelivered_reason: Optional[Literal["not_collected", "refused", "lost", "damaged"]]
    logistics_type: Optional[Literal["home", "csvs"]]
    express_type: Optional[Literal["tcat", "hct", "post", "pcsc", "family", "hilife"]]
    consignee_country: Optional[Literal["TW"]]
    consignee_name: Optional[str]
    consignee_phone: Optional[str]
    consignee_address: Optional[str]
    consignee_zip: Optional[str]
    details: List[OrderRowDetail]
    shipping: Optional[OrderRowShipping]
    returns: List[OrderRowReturn]
    held: bool
    held_at: Optional[str]
    changes: List[OrderRowChange]
    timeline: List[OrderRowTimeline]
    recipient_erased_at: Optional[str]
    created_at: str
    updated_at: str


class InboundsSearchInboundsInboundShortId(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class InboundsSearchInboundsFormNo(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class InboundsSearchInboundsUpdatedAt(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


class InboundsSearchInboundsCreatedAt(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


class InboundsSearchInboundsStatus(TypedDict, total=False):
    ne: Literal["expected", "receiving", "received", "cancelled", "stopped"]


class InboundsSearchInboundsKind(TypedDict, total=False):
    ne: Literal["inbound", "return"]


class InboundsSearchInboundsStoreNo(TypedDict, total=False):
    gte: int
    gt: int
    lte: int
    lt: int
    ne: int


class InboundsSearchInboundsWarehouseNo(TypedDict, total=False):
    gte: int
    gt: int
    lte: int
    lt: int
    ne: int


class InboundsSearchInboundsChannel(TypedDict, total=False):
    ne: Literal["warehouse", "logistics"]


InboundsSearch = TypedDict(
    "InboundsSearch",
    {
        "inbounds.stock_in_no": Optional[Union[str, List[str]]],
        "inbounds.inbound_short_id": Optional[Union[str, List[str], InboundsSearchInboundsInboundShortId]],
        "inbounds.form_no": Optional[Union[str, List[str], InboundsSearchInboundsFormNo]],
        "inbounds.outbound_short_id": Optional[Union[str, List[str]]],
        "inbounds.updated_at": Optional[Union[str, List[str], InboundsSearchInboundsUpdatedAt]],
        "inbounds.created_at": Optional[Union[str, List[str], InboundsSearchInboundsCreatedAt]],
        "inbounds.status": Optional[Union[Literal["expected", "receiving", "received", "cancelled", "stopped"],
            List[Literal["expected", "receiving", "received", "cancelled", "stopped"]], InboundsSearchInboundsStatus]],
        "inbounds.kind": Optional[Union[Literal["inbound", "return"], List[Literal["inbound", "return"]],
            InboundsSearchInboundsKind]],
        "inbounds.store_no": Optional[Union[int, List[int], InboundsSearchInboundsStoreNo]],
        "inbounds.warehouse_no": Optional[Union[int, List[int], InboundsSearchInboundsWarehouseNo]],
        "inbounds.channel": Optional[Union[Literal["warehouse", "logistics"], List[Literal["warehouse", "logistics"]],
            InboundsSearchInboundsChannel]],
        "page_size": Optional[int],
        "cursor": Optional[str],
        "sort": Optional[str],
        "total": Optional[bool],
    },
    total=False,
)


class InboundRowDetailItem(TypedDict):
    name: Optional[str]
    storage_type: Optional[str]
    price: Optional[float]
    identifier: Optional[str]


class InboundRowDetail(TypedDict):
    sku_id: str
    expire_date: Optional[str]
    batch_id: str
    qty: int
    item: Optional[InboundRowDetailItem]


class InboundRowReceived(TypedDict):
    sku_id: str
    stock_type: Literal["good", "bad"]
    batch_id: str
    expire_date: Optional[str]
    qty: int


class InboundRowDifference(TypedDict):
    sku_id: str
    announced: int
    received: int


class InboundRowForm(TypedDict):
    internal_form_no: str
    shipping_type: Literal[1, 2, 3]
    sender_name: Optional[str]
    sender_address: Optional[str]
    callback_url: Optional[str]


InboundRowTimeline = TypedDict(
    "InboundRowTimeline",
    {
        "event": Literal["create", "receive", "complete", "stop", "cancel"],
        "from": Optional[Literal["expected", "receiving", "received", "cancelled", "stopped"]],
        "to": Literal["expected", "receiving", "received", "cancelled", "stopped"],
        "at": str,
        "by": Optional[str],
        "trace_id": Optional[str],
    },
)


class InboundRow(TypedDict):
    stock_in_no: str
    inbound_short_id: Optional[str]
    form_no: Optional[str]
    kind: Literal["inbound", "return"]
    status: Literal["expected", "receiving", "received", "cancelled", "stopped"]
    channel: Literal["warehouse", "logistics"]
    warehouse_no: int
    store_no: int
    outbound_short_id: Optional[str]
    orders_id: Optional[str]
    estimated_arrival_at: Optional[str]
    details: List[InboundRowDetail]
    received: List[InboundRowReceived]
    differences: List[InboundRowDifference]
    form: Optional[InboundRowForm]
    timeline: List[InboundRowTimeline]
    created_at: str
    updated_at: str


class CallbacksSearchCallbacksDocumentNo(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class CallbacksSearchCallbacksUpdatedAt(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


class CallbacksSearchCallbacksCreatedAt(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


class CallbacksSearchCallbacksStatus(TypedDict, total=False):
    ne: Literal["pending", "delivered", "failed"]


class CallbacksSearchCallbacksEvent(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class CallbacksSearchCallbacksDocumentType(TypedDict, total=False):
    ne: Literal["order", "inbound", "return"]


CallbacksSearch = TypedDict(
    "CallbacksSearch",
    {
        "callbacks.event_id": Optional[Union[str, List[str]]],
        "callbacks.document_no": Optional[Union[str, List[str], CallbacksSearchCallbacksDocumentNo]],
        "callbacks.updated_at": Optional[Union[str, List[str], CallbacksSearchCallbacksUpdatedAt]],
        "callbacks.created_at": Optional[Union[str, List[str], CallbacksSearchCallbacksCreatedAt]],
        "callbacks.status": Optional[Union[Literal["pending", "delivered", "failed"], List[Literal["pending",
            "delivered", "failed"]], CallbacksSearchCallbacksStatus]],
        "callbacks.event": Optional[Union[str, List[str], CallbacksSearchCallbacksEvent]],
        "callbacks.document_type": Optional[Union[Literal["order", "inbound", "return"], List[Literal["order",
            "inbound", "return"]], CallbacksSearchCallbacksDocumentType]],
        "page_size": Optional[int],
        "cursor": Optional[str],
        "sort": Optional[str],
        "total": Optional[bool],
    },
    total=False,
)


class CallbackRowAttempt(TypedDict):
    at: str
    duration_ms: int
    http_status: Optional[int]
    error: Optional[str]
    address: Optional[str]
    response: Optional[str]


class CallbackRow(TypedDict):
    event_id: str
    event: Literal["order.partially_shipped", "order.shipped", "order.arrived", "order.delivered", "order.undelivered",
        "order.cancelled", "inbound.received", "inbound.stopped", "inbound.cancelled", "return.received",
        "return.stopped", "return.cancelled"]
    document_type: Literal["order", "inbound", "return"]
    document_no: str
    test: bool
    sequence: int
    body: str
    body_erased_at: Optional[str]
    callback_url: str
    status: Literal["pending", "delivered", "failed"]
    attempts: List[CallbackRowAttempt]
    next_attempt_at: Optional[str]
    occurred_at: str
    created_at: str
    updated_at: str


class _OrdersCreateRetvalRequired(TypedDict):
    orders_id: str
    idempotent: bool


class OrdersCreateRetval(_OrdersCreateRetvalRequired, total=False):
    payload_differs: Literal[True]
    warnings: List[WarningItem]


class OrdersCancelBody(TypedDict, total=False):
    outbound_short_ids: Optional[List[str]]
    internal_names: Optional[List[str]]


class OrdersCancelResult1(TypedDict):
    internal_name: str
    status: Literal["cancelled", "not_found"]


class OrdersCancelResult2(TypedDict):
    internal_name: str
    status: Literal["cannot_cancel_after_picking"]
    code: Literal["LST-TPW-6001"]


OrdersCancelResult = Union[OutboundCancelResult, Union[OrdersCancelResult1, OrdersCancelResult2]]


class OrderUpdate(TypedDict, total=False):
    outbound_short_id: Optional[str]
    internal_name: Optional[str]
    consignee_country: Optional[Literal["TW"]]
    consignee_name: Optional[str]
    consignee_phone: Optional[str]
    consignee_address: Optional[str]
    consignee_city: Optional[str]
    consignee_zip: Optional[str]
    logistics_type: Optional[str]
    express_type: Optional[str]
    note: Optional[str]
    store_pickup_label_data: Optional[Dict[str, Any]]


class _OrdersUpdateResultRequired(TypedDict):
    status: Literal["updated", "requested", "too_late", "refused", "not_found"]


class OrdersUpdateResult(_OrdersUpdateResultRequired, total=False):
    outbound_short_id: str
    internal_name: str
    code: str
    message: str
    fields: List[str]


class OrderHold(TypedDict, total=False):
    outbound_short_id: Optional[str]
    internal_name: Optional[str]
    reason: Optional[str]


class _OrdersHoldResultRequired(TypedDict):
    status: Literal["held", "requested", "too_late", "refused", "not_found"]


class OrdersHoldResult(_OrdersHoldResultRequired, total=False):
    outbound_short_id: str
    internal_name: str
    code: str
    message: str
    fields: List[str]


class OrderRelease(TypedDict, total=False):
    outbound_short_id: Optional[str]
    internal_name: Optional[str]


class _OrdersReleaseResultRequired(TypedDict):
    status: Literal["released", "requested", "too_late", "refused", "not_found"]


class OrdersReleaseResult(_OrdersReleaseResultRequired, total=False):
    outbound_short_id: str
    internal_name: str
    code: str
    message: str
    fields: List[str]


class _InboundsReceiveBodyDetailRequired(TypedDict):
    sku_id: str
    qty: int
    stock_type: Literal["good", "bad"]


class InboundsReceiveBodyDetail(_InboundsReceiveBodyDetailRequired, total=False):
    expire_date: Optional[str]
    batch_id: Optional[str]


class _InboundsReceiveBodyRequired(TypedDict):
    details: List[InboundsReceiveBodyDetail]


class InboundsReceiveBody(_InboundsReceiveBodyRequired, total=False):
    inbound_short_id: Optional[str]
    form_no: Optional[str]
    receipt_no: Optional[str]
    final: Optional[bool]


class _InboundsReceiveRetvalRequired(TypedDict):
    status: Literal["expected", "receiving", "received", "cancelled", "stopped"]
    idempotent: bool


class InboundsReceiveRetval(_InboundsReceiveRetvalRequired, total=False):
    warnings: List[WarningItem]


class InboundsStopBody(TypedDict, total=False):
    inbound_short_id: Optional[str]
    form_no: Optional[str]


class _InboundsStopRetvalRequired(TypedDict):
    status: Literal["stopped"]
    idempotent: bool


class InboundsStopRetval(_InboundsStopRetvalRequired, total=False):
    warnings: List[WarningItem]


class InboundsCancelBody(TypedDict, total=False):
    inbound_short_ids: Optional[List[str]]
    form_nos: Optional[List[str]]


class InboundsCancelResult1(TypedDict):
    inbound_short_id: str
    status: Literal["cancelled", "not_found", "cannot_cancel_after_receiving"]


class InboundsCancelResult2(TypedDict):
    form_no: str
    status: Literal["cancelled", "not_found", "cannot_cancel_after_receiving"]


InboundsCancelResult = Union[InboundsCancelResult1, InboundsCancelResult2]


class _AdvanceReportParcelItemRequired(TypedDict):
    sku_id: str
    qty: int


class AdvanceReportParcelItem(_AdvanceReportParcelItemRequired, total=False):
    batch_id: Optional[str]
    expire_date: Optional[str]


class _AdvanceReportParcelRequired(TypedDict):
    shipment_no: str


class AdvanceReportParcel(_AdvanceReportParcelRequired, total=False):
    carrier: Optional[str]
    items: Optional[List[AdvanceReportParcelItem]]


class _AdvanceReportRequired(TypedDict):
    status: Literal["in_warehouse", "picking", "packed", "partially_shipped", "shipped", "arrived", "delivered",
        "undelivered"]


class AdvanceReport(_AdvanceReportRequired, total=False):
    outbound_short_id: Optional[str]
    internal_name: Optional[str]
    shipment_no: Optional[str]
    carrier: Optional[str]
    parcels: Optional[List[AdvanceReportParcel]]
    final: Optional[bool]
    allow_repeat: Optional[bool]
    reason: Optional[Literal["not_collected", "refused", "lost", "damaged"]]


class _AdvanceResultRequired(TypedDict):
    status: Literal["in_warehouse", "picking", "packed", "partially_shipped", "shipped", "arrived", "delivered",
        "undelivered", "not_found", "refused"]


class AdvanceResult(_AdvanceResultRequired, total=False):
    outbound_short_id: str
    internal_name: str
    code: str
    message: str


class CallbacksRedeliverBodyCallbacksDocumentNo(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class CallbacksRedeliverBodyCallbacksUpdatedAt(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


class CallbacksRedeliverBodyCallbacksCreatedAt(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str


class CallbacksRedeliverBodyCallbacksStatus(TypedDict, total=False):
    ne: Literal["pending", "delivered", "failed"]


class CallbacksRedeliverBodyCallbacksEvent(TypedDict, total=False):
    gte: str
    gt: str
    lte: str
    lt: str
    ne: str
    prefix: str


class CallbacksRedeliverBodyCallbacksDocumentType(TypedDict, total=False):
    ne: Literal["order", "inbound", "return"]


CallbacksRedeliverBody = TypedDict(
    "CallbacksRedeliverBody",
    {
        "event_ids": Optional[List[str]],
        "callbacks.event_id": Optional[Union[str, List[str]]],
        "callbacks.document_no": Optional[Union[str, List[str], CallbacksRedeliverBodyCallbacksDocumentNo]],
        "callbacks.updated_at": Optional[Union[str, List[str], CallbacksRedeliverBodyCallbacksUpdatedAt]],
        "callbacks.created_at": Optional[Union[str, List[str], CallbacksRedeliverBodyCallbacksCreatedAt]],
        "callbacks.status": Optional[Union[Literal["pending", "delivered", "failed"], List[Literal["pending",
            "delivered", "failed"]], CallbacksRedeliverBodyCallbacksStatus]],
        "callbacks.event": Optional[Union[str, List[str], CallbacksRedeliverBodyCallbacksEvent]],
        "callbacks.document_type": Optional[Union[Literal["order", "inbound", "return"], List[Literal["order",
            "inbound", "return"]], CallbacksRedeliverBodyCallbacksDocumentType]],
        "dry_run": Optional[bool],
    },
    total=False,
)


class CallbacksRedeliverRetval(TypedDict):
    count: int
    erased: int


class _ProductsUpdateBodyProductCodeRequired(TypedDict):
    code: str


class ProductsUpdateBodyProductCode(_ProductsUpdateBodyProductCodeRequired, total=False):
    units: Optional[int]


class ProductsUpdateBodyProductLocation(TypedDict):
    warehouse_no: int
    location: str


class _ProductsUpdateBodyProductRequired(TypedDict):
    sku_id: str


class ProductsUpdateBodyProduct(_ProductsUpdateBodyProductRequired, total=False):
    codes: Optional[List[ProductsUpdateBodyProductCode]]
    locations: Optional[List[ProductsUpdateBodyProductLocation]]


class ProductsUpdateBody(TypedDict):
    products: List[ProductsUpdateBodyProduct]


class ProductsUpdateRetvalResult(TypedDict):
    sku_id: str
    status: Literal["updated"]


class _ProductsUpdateRetvalRequired(TypedDict):
    results: List[ProductsUpdateRetvalResult]


class ProductsUpdateRetval(_ProductsUpdateRetvalRequired, total=False):
    warnings: List[WarningItem]


class _StocksAdjustBodyLineRequired(TypedDict):
    warehouse_no: int
    sku_id: str
    stock_type: Literal["good", "bad"]
    reason: str


class StocksAdjustBodyLine(_StocksAdjustBodyLineRequired, total=False):
    batch_id: Optional[str]
    expire_date: Optional[str]
    delta: Optional[int]
    counted: Optional[int]


class StocksAdjustBody(TypedDict):
    reference_no: str
    lines: List[StocksAdjustBodyLine]


class StocksAdjustRetvalResult(TypedDict):
    warehouse_no: int
    sku_id: str
    stock_type: Literal["good", "bad"]
    batch_id: str
    expire_date: Optional[str]
    delta: int
    qty: int
    qty_lock: int


class _StocksAdjustRetvalRequired(TypedDict):
    reference_no: str
    idempotent: bool
    results: List[StocksAdjustRetvalResult]


class StocksAdjustRetval(_StocksAdjustRetvalRequired, total=False):
    warnings: List[WarningItem]


class _StocksMoveBodyLineRequired(TypedDict):
    from_warehouse_no: int
    to_warehouse_no: int
    sku_id: str
    stock_type: Literal["good", "bad"]
    qty: int


class StocksMoveBodyLine(_StocksMoveBodyLineRequired, total=False):
    batch_id: Optional[str]
    expire_date: Optional[str]


class _StocksMoveBodyRequired(TypedDict):
    reference_no: str
    lines: List[StocksMoveBodyLine]


class StocksMoveBody(_StocksMoveBodyRequired, total=False):
    reason: Optional[str]


class StocksMoveRetvalResult(TypedDict):
    from_warehouse_no: int
    to_warehouse_no: int
    sku_id: str
    stock_type: Literal["good", "bad"]
    batch_id: str
    expire_date: Optional[str]
    qty: int
    from_qty: int
    to_qty: int


class _StocksMoveRetvalRequired(TypedDict):
    reference_no: str
    idempotent: bool
    results: List[StocksMoveRetvalResult]


class StocksMoveRetval(_StocksMoveRetvalRequired, total=False):
    warnings: List[WarningItem]


class _ShippingOrderBodyProductRequired(TypedDict):
    sku: str
    quantity: int
    storage_type: str


class ShippingOrderBodyProduct(_ShippingOrderBodyProductRequired, total=False):
    name: Optional[str]
    price: Optional[float]
    identifier: Optional[str]
    combo_sku: Optional[str]
    batch: Optional[str]


class _ShippingOrderBodyRequired(TypedDict):
    internal_name: str
    name: str
    customer_name: str
    delivery_name: str
    phone: str
    delivery_charge: float
    products: List[ShippingOrderBodyProduct]


class ShippingOrderBody(_ShippingOrderBodyRequired, total=False):
    address: Optional[str]
    city: Optional[str]
    callback_url: Optional[str]
    note: Optional[str]
    store_pickup_label_data: Optional[Dict[str, Any]]


class _ShippingOrderRetvalRequired(TypedDict):
    document_no: str
    status: Literal["awaiting_stock", "pending_warehouse_transfer", "in_warehouse", "picking", "packed",
        "partially_shipped", "shipped", "arrived", "delivered", "undelivered", "cancelled"]
    idempotent: bool


class ShippingOrderRetval(_ShippingOrderRetvalRequired, total=False):
    warnings: List[WarningItem]


class _InboundFormBodyProductRequired(TypedDict):
    sku: str
    quantity: int


class InboundFormBodyProduct(_InboundFormBodyProductRequired, total=False):
    name: Optional[str]
    price: Optional[float]
    identifier: Optional[str]
    storage_type: Optional[str]
    batch: Optional[str]
    expire_date: Optional[str]


class _InboundFormBodyRequired(TypedDict):
    form_no: str
    internal_form_no: str
    form_type: Literal[1, 2, 3]
    shipping_type: Literal[1, 2, 3]
    callback_url: str
    products: List[InboundFormBodyProduct]


class InboundFormBody(_InboundFormBodyRequired, total=False):
    sender_name: Optional[str]
    sender_address: Optional[str]


class _InboundFormRetvalRequired(TypedDict):
    document_no: str
    status: Literal["expected", "receiving", "received", "cancelled", "stopped"]
    idempotent: bool


class InboundFormRetval(_InboundFormRetvalRequired, total=False):
    warnings: List[WarningItem]


class _CallbackTestBodyRequired(TypedDict):
    event: Literal["order.partially_shipped", "order.shipped", "order.arrived", "order.delivered", "order.undelivered",
        "order.cancelled", "inbound.received", "inbound.stopped", "inbound.cancelled", "return.received",
        "return.stopped", "return.cancelled"]


class CallbackTestBody(_CallbackTestBodyRequired, total=False):
    document_no: Optional[str]
    callback_url: Optional[str]


class _CallbackTestRetvalRequired(TypedDict):
    event_id: str
    document_no: str
    callback_url: str


class CallbackTestRetval(_CallbackTestRetvalRequired, total=False):
    warnings: List[WarningItem]


class _CallbackProductRequired(TypedDict):
    sku: str
    quantity: int
    name: Optional[str]
    storage_type: Optional[str]
    price: Optional[float]
    batch: Optional[str]
    identifier: Optional[str]


class CallbackProduct(_CallbackProductRequired, total=False):
    combo_sku: Optional[str]
    expire_date: Optional[str]


class CallbackReceivedUnits(TypedDict):
    sku: str
    quantity: int
    stock_type: Literal["good", "bad"]
    batch: Optional[str]
    expire_date: Optional[str]


class CallbackShippedUnits(TypedDict):
    sku: str
    quantity: int
    batch: Optional[str]
    expire_date: Optional[str]


class CallbackParcel(TypedDict):
    shipment_no: str
    carrier: Optional[str]
    items: List[CallbackShippedUnits]


class CallbackShortUnits(TypedDict):
    sku: str
    quantity: int


class OrderPartiallyShippedCallback(TypedDict):
    event_id: str
    event: Literal["order.partially_shipped"]
    sequence: int
    test: bool
    document_type: Literal["order"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["partially_shipped"]
    shipment_no: str
    carrier: Optional[str]
    parcels: List[CallbackParcel]
    short: List[CallbackShortUnits]
    occurred_at: str
    products: List[CallbackProduct]
    received: None
    note: Optional[str]
    duplicate: bool


class OrderShippedCallback(TypedDict):
    event_id: str
    event: Literal["order.shipped"]
    sequence: int
    test: bool
    document_type: Literal["order"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["shipped"]
    shipment_no: str
    carrier: Optional[str]
    parcels: List[CallbackParcel]
    short: List[CallbackShortUnits]
    occurred_at: str
    products: List[CallbackProduct]
    received: None
    note: Optional[str]
    duplicate: bool


class OrderArrivedCallback(TypedDict):
    event_id: str
    event: Literal["order.arrived"]
    sequence: int
    test: bool
    document_type: Literal["order"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["arrived"]
    shipment_no: str
    carrier: Optional[str]
    parcels: List[CallbackParcel]
    short: List[CallbackShortUnits]
    occurred_at: str
    products: List[CallbackProduct]
    received: None
    note: Optional[str]
    duplicate: bool


class OrderDeliveredCallback(TypedDict):
    event_id: str
    event: Literal["order.delivered"]
    sequence: int
    test: bool
    document_type: Literal["order"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["delivered"]
    shipment_no: str
    carrier: Optional[str]
    parcels: List[CallbackParcel]
    short: List[CallbackShortUnits]
    occurred_at: str
    products: List[CallbackProduct]
    received: None
    note: Optional[str]
    duplicate: bool


class OrderUndeliveredCallback(TypedDict):
    event_id: str
    event: Literal["order.undelivered"]
    sequence: int
    test: bool
    document_type: Literal["order"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["undelivered"]
    shipment_no: str
    carrier: Optional[str]
    reason: Literal["not_collected", "refused", "lost", "damaged"]
    return_no: Optional[str]
    parcels: List[CallbackParcel]
    short: List[CallbackShortUnits]
    occurred_at: str
    products: List[CallbackProduct]
    received: None
    note: Optional[str]
    duplicate: bool


class OrderCancelledCallback(TypedDict):
    event_id: str
    event: Literal["order.cancelled"]
    sequence: int
    test: bool
    document_type: Literal["order"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["cancelled"]
    shipment_no: Optional[str]
    carrier: Optional[str]
    occurred_at: str
    products: List[CallbackProduct]
    received: None
    note: Optional[str]
    duplicate: bool


class InboundReceivedCallback(TypedDict):
    event_id: str
    event: Literal["inbound.received"]
    sequence: int
    test: bool
    document_type: Literal["inbound"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["received"]
    shipment_no: Optional[str]
    carrier: Optional[str]
    occurred_at: str
    products: List[CallbackProduct]
    received: List[CallbackReceivedUnits]
    note: None
    duplicate: bool


class InboundStoppedCallback(TypedDict):
    event_id: str
    event: Literal["inbound.stopped"]
    sequence: int
    test: bool
    document_type: Literal["inbound"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["stopped"]
    shipment_no: Optional[str]
    carrier: Optional[str]
    occurred_at: str
    products: List[CallbackProduct]
    received: List[CallbackReceivedUnits]
    note: None
    duplicate: bool


class InboundCancelledCallback(TypedDict):
    event_id: str
    event: Literal["inbound.cancelled"]
    sequence: int
    test: bool
    document_type: Literal["inbound"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["cancelled"]
    shipment_no: Optional[str]
    carrier: Optional[str]
    occurred_at: str
    products: List[CallbackProduct]
    received: List[CallbackReceivedUnits]
    note: None
    duplicate: bool


class ReturnReceivedCallback(TypedDict):
    event_id: str
    event: Literal["return.received"]
    sequence: int
    test: bool
    document_type: Literal["return"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["received"]
    shipment_no: Optional[str]
    carrier: Optional[str]
    occurred_at: str
    products: List[CallbackProduct]
    received: List[CallbackReceivedUnits]
    note: None
    duplicate: bool


class ReturnStoppedCallback(TypedDict):
    event_id: str
    event: Literal["return.stopped"]
    sequence: int
    test: bool
    document_type: Literal["return"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["stopped"]
    shipment_no: Optional[str]
    carrier: Optional[str]
    occurred_at: str
    products: List[CallbackProduct]
    received: List[CallbackReceivedUnits]
    note: None
    duplicate: bool


class ReturnCancelledCallback(TypedDict):
    event_id: str
    event: Literal["return.cancelled"]
    sequence: int
    test: bool
    document_type: Literal["return"]
    document_no: str
    internal_no: str
    name: Optional[str]
    lading_no: str
    status: Literal["cancelled"]
    shipment_no: Optional[str]
    carrier: Optional[str]
    occurred_at: str
    products: List[CallbackProduct]
    received: List[CallbackReceivedUnits]
    note: None
    duplicate: bool


class _ProductSyncedRequired(TypedDict):
    products_id: int


class ProductSynced(_ProductSyncedRequired, total=False):
    warnings: List[WarningItem]


class _OutboundCreatedRequired(TypedDict):
    orders_id: str
    idempotent: bool


class OutboundCreated(_OutboundCreatedRequired, total=False):
    payload_differs: Literal[True]
    warnings: List[WarningItem]


class _InboundCreatedRequired(TypedDict):
    stock_in_no: str
    stock_in_sn: str
    warehouse_no: int
    duplicate: bool


class InboundCreated(_InboundCreatedRequired, total=False):
    payload_differs: Literal[True]
    warnings: List[WarningItem]


CallbackBody = Union[OrderPartiallyShippedCallback, OrderShippedCallback, OrderArrivedCallback, OrderDeliveredCallback,
    OrderUndeliveredCallback, OrderCancelledCallback, InboundReceivedCallback, InboundStoppedCallback,
    InboundCancelledCallback, ReturnReceivedCallback, ReturnStoppedCallback, ReturnCancelledCallback]

# end of types
