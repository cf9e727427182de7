<?php

/**
 * The client of Lading, an order management service, for PHP 8. One file without dependencies; it needs
 * allow_url_fopen, and the extension openssl for https.
 *
 *     require 'lading.php';
 *
 *     $warehouse = new Lading\WarehouseClient('https://lading.example', 'DEMO', getenv('LADING_SECRET') ?: '');
 *     $warehouse->productSync(['sku_id' => 'TEA-1', 'sku_name' => 'Oolong tea', 'storage_type' => 1]);
 *
 * The guide is docs/clients.md, on a running service /docs/guides/clients. Licence: Apache-2.0.
 */

declare(strict_types=1);

namespace Lading;

const VERSION = '0.1.0';

const FIRST_WAIT_SECONDS = 0.25;
const WAIT_MAX_SECONDS = 20.0;
const TOKEN_MARGIN_MAX_SECONDS = 30.0;
const BATCH_MAX = 100;
const STOCK_QUERY_BATCH_MAX = 1000;
const KEY_BYTES_MIN = 16;
/** They describe the connection of a request. With them, a copy of all headers of a rejected request could not be sent. */
const HEADERS_OF_CONNECTION = [
    'host', 'connection', 'keep-alive', 'proxy-connection', 'content-length', 'transfer-encoding', 'accept-encoding',
    'expect', 'te', 'trailer', 'upgrade',
];

// Errors

/** The base class of all errors of a call. */
class LadingError extends \RuntimeException
{
    /**
     * @param string $reason the message of the service; getMessage() also contains the trace id, so that every log
     *     includes it
     * @param ?int $status the HTTP status; null if there was no response
     * @param ?string $errorCode the code of the warehouse API, such as PARAM_INVALID; null in other APIs
     * @param ?string $traceId quote it when you report a problem: with it, the operator can find the request
     * @param ?float $retryAfterSeconds the delay requested by the service; null if there is none
     * @param list<array{code: string, path: string, message: string, doc_url: string}> $errors all errors that the
     *     service found; empty if there was no response
     */
    public function __construct(
        public string $reason,
        public ?int $status = null,
        public ?string $errorCode = null,
        public ?string $traceId = null,
        public ?float $retryAfterSeconds = null,
        public array $errors = [],
    ) {
        parent::__construct($traceId === null ? $reason : "$reason (trace_id $traceId)");
    }
}

/** The request is invalid and nothing was changed. An identical request will be rejected again. */
final class RefusedError extends LadingError
{
}

/** Authentication failed (401, or no token was issued), or the permission is missing (403). */
final class UnauthorizedError extends LadingError
{
}

/**
 * Too many requests, an error of the service, or no response, after all retries. The request may have taken effect;
 * send the same request again later.
 */
final class UnavailableError extends LadingError
{
}

/** Thrown for an invalid callback. Respond with 4xx, and do not use the body. */
final class CallbackError extends \RuntimeException
{
    /**
     * @param string $reason missing_header, malformed_timestamp, too_old, too_new, no_known_version, wrong_signature
     *     or not_json
     */
    public function __construct(public string $reason, string $message)
    {
        parent::__construct($message);
    }
}

// Sending

/** Options of every client. */
final class Options
{
    /** @var ?callable(list<array{code: string, path: string, message: string}>, string): void */
    public $onWarnings;

    /**
     * @param float $timeoutSeconds how long an attempt waits for the connection, and for each part of the response
     * @param int $retriesMax the maximum number of retries of a repeatable request
     * @param ?callable $onWarnings called with the warnings and the path of a response: fields that the service does
     *     not know (UAT accounts only), or a repeated number with a different body
     * @param array<string, array<string, mixed>> $context stream context options, for a proxy or certificates, such as
     *     ['http' => ['proxy' => 'tcp://proxy.example:3128', 'request_fulluri' => true]]
     */
    public function __construct(
        public float $timeoutSeconds = 15.0,
        public int $retriesMax = 4,
        ?callable $onWarnings = null,
        public array $context = [],
    ) {
        $this->onWarnings = $onWarnings;
    }
}

/** @internal */
final class Call
{
    /** @var callable(string): array<string, string> created for every attempt: a signature contains its time */
    public $headers;

    /** @param bool $repeatable whether the request may be repeated even if it may already have taken effect */
    public function __construct(public string $path, public string $body, callable $headers, public bool $repeatable)
    {
        $this->headers = $headers;
    }
}

/** @internal */
final class Answer
{
    /** @param array<string, mixed> $json empty if the body is not a JSON object */
    public function __construct(
        public string $url,
        public int $status,
        public ?string $traceId,
        public ?float $retryAfterSeconds,
        public array $json,
    ) {
    }

    /** Creates the error for an unsuccessful response. */
    public function error(?string $message, mixed $errors, ?string $code = null): LadingError
    {
        $status = $this->status;
        $reason = $message ?? "HTTP $status without an answer of the service; is the address right?";
        $kind = match (true) {
            $status === 401, $status === 403 => UnauthorizedError::class,
            $status >= 400 && $status < 500 && $status !== 429 => RefusedError::class,
            default => UnavailableError::class,
        };
        $reason = $status === 404 ? "$reason: {$this->url}" : $reason;
        $list = is_array($errors) ? $errors : [];
        return new $kind($reason, $status, $code, $this->traceId, $this->retryAfterSeconds, $list);
    }

    /** The envelope of the main API and the logistics webhook. The latter has its errors in `retval`. */
    public function retval(): mixed
    {
        $retval = $this->json['retval'] ?? null;
        if (($this->json['done'] ?? null) === true) {
            return $retval;
        }
        $errors = $this->json['errors'] ?? (is_array($retval) ? $retval['errors'] ?? null : null);
        throw $this->error($this->json['msg'] ?? null, $errors);
    }

    /** The envelope of the warehouse API. */
    public function data(): array
    {
        $data = $this->json['data'] ?? [];
        if (($this->json['success'] ?? null) === true) {
            return $data;
        }
        throw $this->error($this->json['message'] ?? null, $data['errors'] ?? null, $this->json['code'] ?? null);
    }
}

/** @internal */
final class NoAnswer
{
    public function __construct(public string $reason, public bool $neverSent)
    {
    }
}

/**
 * Sends requests with a timeout for each attempt, and retries them if that is safe.
 *
 * @internal
 */
final class Sender
{
    private string $url;
    private Options $options;

    public function __construct(string $url, ?Options $options)
    {
        $this->url = rtrim($url, '/');
        $this->options = $options ?? new Options();
    }

    public function send(Call $call): Answer
    {
        for ($tries = 1; ; $tries++) {
            $outcome = $this->attempt($call);
            $answered = $outcome instanceof Answer;
            $mayRepeat = $answered
                ? self::isWorthRepeating($outcome, $call)
                : $outcome->neverSent || $call->repeatable;
            $askedToWait = $answered ? $outcome->retryAfterSeconds ?? 0.0 : 0.0;
            if ($mayRepeat && $tries <= $this->options->retriesMax && $askedToWait <= WAIT_MAX_SECONDS) {
                usleep((int) (self::waitSeconds($tries, $askedToWait) * 1e6));
                continue;
            }
            if ($answered) {
                $this->reportWarnings($call, $outcome);
                return $outcome;
            }
            throw new UnavailableError("no answer from {$this->url}{$call->path}: {$outcome->reason}");
        }
    }

    private function attempt(Call $call): Answer|NoAnswer
    {
        $url = $this->url . $call->path;
        $context = stream_context_create($this->contextOptions($call));
        $complaints = [];
        set_error_handler(function (int $_, string $message) use (&$complaints): bool {
            $complaints[] = $message;
            return true;
        });
        $began = hrtime(true);
        try {
            $stream = fopen($url, 'r', false, $context);
            $body = $stream === false ? false : stream_get_contents($stream);
            $facts = $stream === false ? [] : stream_get_meta_data($stream);
        } finally {
            restore_error_handler();
        }
        $took = (hrtime(true) - $began) / 1e9;
        $lines = $facts['wrapper_data'] ?? [];
        if ($body === false || ($facts['timed_out'] ?? false) || self::isCutOff($lines, $body)) {
            return $this->noAnswer($complaints, ($facts['timed_out'] ?? false) || $took >= $this->options->timeoutSeconds);
        }
        $json = json_decode($body, true);
        return new Answer(
            $url,
            self::statusOf($lines),
            self::headerIn($lines, 'trace-id'),
            self::secondsOf(self::headerIn($lines, 'retry-after')),
            is_array($json) ? $json : [],
        );
    }

    private function contextOptions(Call $call): array
    {
        $headers = ['content-type' => 'application/json', 'user-agent' => 'lading-php/' . VERSION, 'connection' => 'close'];
        $lines = [];
        foreach (array_merge($headers, ($call->headers)($call->body)) as $name => $value) {
            if (preg_match('/[\r\n\0]/', $name . $value)) {
                throw new \InvalidArgumentException("the header $name contains a line break");
            }
            $lines[] = "$name: $value";
        }
        // A proxy may need headers of its own.
        $added = $this->options->context['http']['header'] ?? [];
        $added = is_array($added) ? $added : preg_split('/[\r\n]+/', trim($added));
        $context = $this->options->context;
        unset($context['http']['header']);
        return array_replace_recursive($context, ['http' => [
            'method' => 'POST',
            'header' => array_merge($lines, array_filter($added)),
            'content' => $call->body,
            'timeout' => $this->options->timeoutSeconds,
            'protocol_version' => 1.1,
            'follow_location' => 0,
            // Read error responses like any other response.
            'ignore_errors' => true,
        ]]);
    }

    /** PHP only reports the reason as text. */
    private function noAnswer(array $complaints, bool $timedOut): NoAnswer
    {
        $text = implode('; ', $complaints);
        // There was no connection, so the request cannot have taken effect.
        if (preg_match('/Connection refused|getaddrinfo/', $text, $found)) {
            return new NoAnswer($found[0] === 'getaddrinfo' ? 'the host is not known' : $found[0], true);
        }
        if ($timedOut) {
            return new NoAnswer("none within {$this->options->timeoutSeconds} s", false);
        }
        $reason = preg_replace('/^.*?: (?:Failed to open stream: )?/', '', $complaints[0] ?? '');
        return new NoAnswer($reason === '' ? 'the connection was closed' : $reason, false);
    }

    /** PHP returns the part of a body that arrived. */
    private static function isCutOff(array $lines, string $body): bool
    {
        $length = self::headerIn($lines, 'content-length');
        return self::statusOf($lines) === 0 || ($length !== null && strlen($body) < (int) $length);
    }

    private static function statusOf(array $lines): int
    {
        $status = 0;
        foreach ($lines as $line) {
            $status = preg_match('~^HTTP/\S+ (\d{3})~', $line, $found) ? (int) $found[1] : $status;
        }
        return $status;
    }

    private static function headerIn(array $lines, string $name): ?string
    {
        $value = null;
        foreach ($lines as $line) {
            [$key, $rest] = explode(':', $line, 2) + [1 => ''];
            $value = strtolower($key) === $name ? trim($rest) : $value;
        }
        return $value;
    }

    /** Parses Retry-After, which is a number of seconds or a date. */
    private static function secondsOf(?string $retryAfter): ?float
    {
        if ($retryAfter === null || $retryAfter === '') {
            return null;
        }
        if (preg_match('/^[0-9]+$/D', $retryAfter)) {
            return (float) $retryAfter;
        }
        $time = strtotime($retryAfter);
        return $time === false ? 0.0 : (float) max(0, $time - time());
    }

    /**
     * A 429 means that the request was not processed; a 5xx may mean that it was. "Not enabled" is not retried, because
     * it would not change.
     */
    private static function isWorthRepeating(Answer $answer, Call $call): bool
    {
        if ($answer->status === 429) {
            return true;
        }
        return $answer->status >= 500 && $call->repeatable && ($answer->json['code'] ?? null) !== 'LST-TPW-5030';
    }

    /** Exponential backoff with jitter, but never less than the service requests. */
    private static function waitSeconds(int $tries, float $retryAfterSeconds): float
    {
        $random = fn (): float => random_int(0, 1_000_000) / 1_000_000;
        $longest = min(FIRST_WAIT_SECONDS * 2 ** $tries, WAIT_MAX_SECONDS);
        return max($longest * (0.5 + $random() / 2), $retryAfterSeconds + $random() * FIRST_WAIT_SECONDS);
    }

    private function reportWarnings(Call $call, Answer $answer): void
    {
        $found = $answer->json['data'] ?? $answer->json['retval'] ?? null;
        $warnings = is_array($found) ? $found['warnings'] ?? null : null;
        if ($warnings && $this->options->onWarnings) {
            ($this->options->onWarnings)($warnings, $call->path);
        }
    }
}

/** @internal An empty array at the top is an object. */
function serialised(array $body): string
{
    $flags = JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS | JSON_UNESCAPED_SLASHES
        | JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR;
    return json_encode($body === [] ? new \stdClass() : $body, $flags);
}

/** @internal Reports a missing option, such as an environment variable that is not set, before anything is sent. */
function requireTexts(string $url, array $texts): void
{
    foreach (['url' => $url] + $texts as $name => $value) {
        if ($value === '') {
            throw new \InvalidArgumentException("$name is missing");
        }
        if ($name !== 'url' && str_ends_with($value, '...')) {
            throw new \InvalidArgumentException(
                "$name is still the placeholder from the guide: replace it with your own value"
            );
        }
    }
    if (!preg_match('~^https?://[^/]~', $url)) {
        throw new \InvalidArgumentException('url must be a URL such as https://lading.example');
    }
}

// The warehouse API

/**
 * The three headers of the warehouse API: lowercase hex of HMAC-SHA256 over the exact bytes that will be sent, directly
 * followed by the timestamp (Unix seconds; the current time by default).
 *
 * @return array{account-no: string, timestamp: string, sign: string}
 */
function signRequest(string $accountNo, string $secret, string $body, int|string|null $timestamp = null): array
{
    $seconds = (string) ($timestamp ?? time());
    $sign = hash_hmac('sha256', $body . $seconds, $secret);
    return ['account-no' => $accountNo, 'timestamp' => $seconds, 'sign' => $sign];
}

/**
 * The warehouse API. Every attempt is signed. All methods can be repeated safely, because numbers are idempotency keys.
 */
final class WarehouseClient
{
    private Sender $sender;

    public function __construct(
        string $url,
        private string $accountNo,
        private string $secret,
        ?Options $options = null,
        private string $basePath = '/warehouse/v1',
    ) {
        requireTexts($url, ['accountNo' => $accountNo, 'secret' => $secret]);
        $this->sender = new Sender($url, $options);
    }

    public function productSync(array $body): array
    {
        return $this->call('/product/sync', $body);
    }

    /** `duplicate`: the number was already used; these are the numbers of the unchanged original. */
    public function inboundCreate(array $body): array
    {
        return $this->createInbound('/inbound/create', $body);
    }

    public function inboundReturn(array $body): array
    {
        return $this->createInbound('/inbound/return', $body);
    }

    /** Returns one result per number, in the order given; more than 100 are split into several requests. */
    public function inboundCancel(array $numbers): array
    {
        return $this->inBatches('/inbound/cancel', 'inbound_short_ids', $numbers, BATCH_MAX, 'results');
    }

    /** `idempotent`: the number was already used, and this is the original order. */
    public function outboundCreate(array $body): array
    {
        return $this->call('/outbound/create', $body);
    }

    /** Returns one result per number, in the order given; more than 100 are split into several requests. */
    public function outboundCancel(array $numbers): array
    {
        return $this->inBatches('/outbound/cancel', 'outbound_short_ids', $numbers, BATCH_MAX, 'results');
    }

    /**
     * Returns one row per sku, stock type, batch and expiry date; more than 1,000 skus are split into several requests.
     * With $warehouseTpwId, only what that tenant can sell.
     */
    public function stockQuery(array $skuIds, ?string $warehouseTpwId = null): array
    {
        $skus = array_values(array_unique($skuIds));
        $tenant = $warehouseTpwId === null ? [] : ['warehouse_tpw_id' => $warehouseTpwId];
        return $this->inBatches('/stock/query', 'sku_ids', $skus, STOCK_QUERY_BATCH_MAX, 'stock_details', $tenant);
    }

    /**
     * Asks why the signature of this request was rejected, with the headers and the body that were sent. Only UAT
     * accounts get an answer, a few times per minute. The secret of this client is not used.
     *
     * @param array<string, string> $headers
     */
    public function diagnose(array $headers, string $body): array
    {
        $named = array_change_key_case($headers);
        $kept = fn (): array => array_diff_key($named, array_flip(HEADERS_OF_CONNECTION));
        return $this->sender->send(new Call("{$this->basePath}/diagnose", $body, $kept, true))->data();
    }

    private function createInbound(string $path, array $body): array
    {
        $answer = $this->send($path, $body);
        $duplicate = ($answer->json['code'] ?? null) === 'LST-TPW-2001';
        // A duplicate has the form of a rejection, but is a success.
        $data = $duplicate ? $answer->json['data'] : $answer->data();
        unset($data['success'], $data['errors']);
        return $data + ['duplicate' => $duplicate];
    }

    private function inBatches(
        string $path,
        string $name,
        array $entries,
        int $batchMax,
        string $results,
        array $more = [],
    ): array {
        $found = [];
        foreach (array_chunk($entries, $batchMax) as $batch) {
            array_push($found, ...$this->call($path, [$name => $batch] + $more)[$results]);
        }
        return $found;
    }

    private function call(string $path, array $body): array
    {
        $data = $this->send($path, $body)->data();
        unset($data['success']);
        return $data;
    }

    private function send(string $path, array $body): Answer
    {
        $signed = fn (string $sent): array => signRequest($this->accountNo, $this->secret, $sent);
        return $this->sender->send(new Call($this->basePath . $path, serialised($body), $signed, true));
    }
}

// The main API

/**
 * Caches a token until it expires.
 *
 * @internal
 */
final class AccessToken
{
    private ?string $token = null;
    private float $renewAt = 0.0;

    public function __construct(private Sender $sender, private string $clientId, private string $checkValue)
    {
    }

    public function current(): string
    {
        if ($this->token === null || hrtime(true) / 1e9 >= $this->renewAt) {
            $this->renew();
        }
        return $this->token;
    }

    public function forget(): void
    {
        $this->token = null;
    }

    private function renew(): void
    {
        $askedAt = hrtime(true) / 1e9;
        $body = serialised(['ClientId' => $this->clientId, 'CheckValue' => $this->checkValue]);
        $answer = $this->sender->send(new Call('/api/v1/token/getToken', $body, fn () => [], true));
        // Wrong credentials are reported with HTTP 200.
        if ($answer->status === 200 && ($answer->json['done'] ?? null) === false) {
            ['msg' => $message, 'errors' => $errors] = $answer->json + ['msg' => '', 'errors' => []];
            throw new UnauthorizedError($message, 200, null, $answer->traceId, null, $errors);
        }
        ['access_token' => $this->token, 'expires_in' => $seconds] = $answer->retval();
        $this->renewAt = $askedAt + $seconds - min(TOKEN_MARGIN_MAX_SECONDS, $seconds / 10);
    }
}

/**
 * The main API. The client gets its access token automatically, caches it until shortly before it expires, and renews
 * it once if it is rejected.
 */
final class MainClient
{
    private const SEARCH_PATHS = [
        'stocks' => '/getStocksData/searchList',
        'products' => '/getProductsData/searchList',
        'orders' => '/getOrdersData/searchList',
        'inbounds' => '/getInboundsData/searchList',
        'callbacks' => '/getCallbacksData/searchList',
    ];

    private Sender $sender;
    private AccessToken $accessToken;

    public function __construct(string $url, string $clientId, string $checkValue, ?Options $options = null)
    {
        requireTexts($url, ['clientId' => $clientId, 'checkValue' => $checkValue]);
        $this->sender = new Sender($url, $options);
        $this->accessToken = new AccessToken($this->sender, $clientId, $checkValue);
    }

    /** Stock by lot, from all pages. */
    public function searchStocks(array $search = []): \Generator
    {
        return $this->search('stocks', $search);
    }

    public function searchProducts(array $search = []): \Generator
    {
        return $this->search('products', $search);
    }

    /** Orders from all channels and all pages. */
    public function searchOrders(array $search = []): \Generator
    {
        return $this->search('orders', $search);
    }

    public function searchInbounds(array $search = []): \Generator
    {
        return $this->search('inbounds', $search);
    }

    /** Callbacks and their attempts, from all pages. */
    public function searchCallbacks(array $search = []): \Generator
    {
        return $this->search('callbacks', $search);
    }

    /**
     * One page of a list. `'total' => true` in the search adds `total` and `total_is_more`.
     *
     * @param 'stocks'|'products'|'orders'|'inbounds'|'callbacks' $list
     * @return array{rows: list<array<string, mixed>>, next_cursor: ?string, total?: int, total_is_more?: bool}
     */
    public function searchPage(string $list, array $search = []): array
    {
        $path = self::SEARCH_PATHS[$list] ?? throw new \InvalidArgumentException("there is no list $list");
        return $this->call($path, $search);
    }

    public function ordersCreate(array $body): array
    {
        return $this->call('/orders/create', $body);
    }

    /** Returns one result per number, those of `outbound_short_ids` first; more than 100 are split. */
    public function ordersCancel(array $body): array
    {
        return $this->cancel('/orders/cancel', $body, 'outbound_short_ids', 'internal_names');
    }

    /** Returns one result per order, in the order given; more than 100 are split into several requests. */
    public function ordersUpdate(array $orders): array
    {
        return $this->results('/orders/update', 'orders', $orders);
    }

    /** Orders on hold are not handed over to their warehouse. Returns one result per order. */
    public function ordersHold(array $orders): array
    {
        return $this->results('/orders/hold', 'orders', $orders);
    }

    public function ordersRelease(array $orders): array
    {
        return $this->results('/orders/release', 'orders', $orders);
    }

    /** Reports received goods. Retried only with a `receipt_no`: without one, every request adds units. */
    public function inboundsReceive(array $body): array
    {
        return $this->call('/inbounds/receive', $body, ($body['receipt_no'] ?? '') !== '');
    }

    public function inboundsStop(array $body): array
    {
        return $this->call('/inbounds/stop', $body);
    }

    /** Returns one result per number, those of `inbound_short_ids` first; more than 100 are split. */
    public function inboundsCancel(array $body): array
    {
        return $this->cancel('/inbounds/cancel', $body, 'inbound_short_ids', 'form_nos');
    }

    /** Returns one result per report, in the order given; more than 100 are split into several requests. */
    public function fulfilmentAdvance(array $orders): array
    {
        return $this->results('/fulfilment/advance', 'orders', $orders);
    }

    /** Redelivers callbacks; not retried after a timeout, because each request redelivers them again. */
    public function callbacksRedeliver(array $body): array
    {
        return $this->call('/callbacks/redeliver', $body, ($body['dry_run'] ?? null) === true);
    }

    /** Sets barcodes and locations of products; a repeat has no further effect. */
    public function productsUpdate(array $body): array
    {
        return $this->call('/products/update', $body);
    }

    /** Adds or removes units, or sets them to a count; a repeat with the same `reference_no` is safe. */
    public function stocksAdjust(array $body): array
    {
        return $this->call('/stocks/adjust', $body);
    }

    /** Moves free units between warehouses; a repeat with the same `reference_no` is safe. */
    public function stocksMove(array $body): array
    {
        return $this->call('/stocks/move', $body);
    }

    /** Sends a callback for an event that has not happened; each request sends another one. */
    public function callbacksTest(array $body): array
    {
        return $this->call('/callbacks/test', $body, false);
    }

    private function search(string $list, array $search): \Generator
    {
        do {
            $page = $this->searchPage($list, $search);
            foreach ($page['rows'] as $row) {
                // Without a key, so that iterator_to_array() keeps the rows of all pages.
                yield $row;
            }
            $search['cursor'] = $page['next_cursor'];
        } while ($search['cursor'] !== null);
    }

    private function cancel(string $path, array $body, string ...$names): array
    {
        $lists = array_map(fn ($name) => $this->results($path, $name, $body[$name] ?? []), $names);
        return array_merge(...$lists);
    }

    private function results(string $path, string $name, array $entries): array
    {
        $results = [];
        foreach (array_chunk($entries, BATCH_MAX) as $batch) {
            array_push($results, ...$this->call($path, [$name => $batch])['results']);
        }
        return $results;
    }

    private function call(string $path, array $body, bool $repeatable = true): array
    {
        $authorized = fn (): array => ['authorization' => "Bearer {$this->accessToken->current()}"];
        $call = new Call("/api/v2/default$path", serialised($body), $authorized, $repeatable);
        $answer = $this->sender->send($call);
        if ($answer->status !== 401) {
            return $answer->retval();
        }
        $this->accessToken->forget();
        return $this->sender->send($call)->retval();
    }
}

// The logistics webhook

/**
 * The logistics webhook. Orders and forms can be repeated safely: the same number with the same body returns
 * `'idempotent' => true`. $segment is the path segment that the operator uses instead of `logistics`.
 */
final class LogisticsClient
{
    private Sender $sender;

    public function __construct(
        string $url,
        private string $apiKey,
        ?Options $options = null,
        private string $segment = 'logistics',
    ) {
        requireTexts($url, ['apiKey' => $apiKey]);
        $this->sender = new Sender($url, $options);
    }

    /** Sends a shipping order; if stock is insufficient, it waits (`awaiting_stock`). */
    public function shippingOrder(array $body): array
    {
        return $this->call('/orders/order', $body);
    }

    /** Sends an inbound form, a return form, or (with `form_type` 3) a form that stops receiving. */
    public function inboundForm(array $body): array
    {
        return $this->call('/purchases/purchase', $body);
    }

    /** Sends a callback for an event that has not happened; each request sends another one. */
    public function testCallback(array $body): array
    {
        return $this->call('/callbacks/test', $body, false);
    }

    private function call(string $path, array $body, bool $repeatable = true): array
    {
        $authorized = fn (): array => ['authorization' => $this->apiKey];
        $call = new Call("/{$this->segment}$path", serialised($body), $authorized, $repeatable);
        return $this->sender->send($call)->retval();
    }
}

// Callbacks

/**
 * Returns the callback if it has a recent signature by one of the secrets, according to the Standard Webhooks
 * specification; otherwise throws a CallbackError.
 *
 * @param array<string, string|list<string>> $headers such as getallheaders()
 * @param string $body what arrived, file_get_contents('php://input'): parsing and serializing it again would change it
 * @param string|list<string> $secrets `whsec_...`; while it is being rotated, the new one and the previous one
 * @param ?callable(string): bool $seen whether an event_id was already processed
 * @return array<string, mixed> with the additional field `duplicate`: it was already processed; respond with 200 anyway
 */
function verifyCallback(
    array $headers,
    string $body,
    string|array $secrets,
    int $toleranceSeconds = 300,
    ?callable $seen = null,
    ?int $now = null,
): array {
    $keys = array_map(fn (string $secret): string => keyOf($secret), (array) $secrets);
    if ($keys === []) {
        throw new \InvalidArgumentException('secrets is missing');
    }
    $id = headerOf($headers, 'webhook-id');
    $timestamp = headerOf($headers, 'webhook-timestamp');
    $signatures = headerOf($headers, 'webhook-signature');
    checkTime($timestamp, $toleranceSeconds, $now ?? time());

    $given = array_filter(explode(' ', $signatures), fn (string $one): bool => str_starts_with($one, 'v1,'));
    if ($given === []) {
        throw new CallbackError('no_known_version', 'webhook-signature has no signature of version v1');
    }
    if (!isSigned($given, $keys, "$id.$timestamp.$body")) {
        throw new CallbackError(
            'wrong_signature',
            'the signature does not match: another secret, or other bytes than those that were signed'
        );
    }

    $callback = json_decode($body, true);
    if (!is_array($callback) || !str_starts_with(ltrim($body), '{')) {
        throw new CallbackError('not_json', 'the body is not a JSON object');
    }
    $callback['duplicate'] = $seen !== null && $seen((string) ($callback['event_id'] ?? ''));
    return $callback;
}

/** @internal */
function isSigned(array $given, array $keys, string $message): bool
{
    foreach ($keys as $key) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $message, $key, true));
        foreach ($given as $one) {
            if (hash_equals($expected, $one)) {
                return true;
            }
        }
    }
    return false;
}

/** @internal Header names are case-insensitive, and a value may be a list. */
function headerOf(array $headers, string $name): string
{
    foreach ($headers as $key => $value) {
        $text = implode(' ', (array) $value);
        if (strtolower((string) $key) === $name && $text !== '') {
            return $text;
        }
    }
    throw new CallbackError('missing_header', "the header $name is missing");
}

/** @internal */
function checkTime(string $timestamp, int $toleranceSeconds, int $now): void
{
    if (!preg_match('/^[0-9]{1,12}$/D', $timestamp)) {
        throw new CallbackError('malformed_timestamp', 'webhook-timestamp is not a time in Unix seconds');
    }
    $ageSeconds = $now - (int) $timestamp;
    if ($ageSeconds > $toleranceSeconds) {
        throw new CallbackError('too_old', "it was signed $ageSeconds s ago: check the clock of this machine");
    }
    if (-$ageSeconds > $toleranceSeconds) {
        throw new CallbackError('too_new', 'it was signed ' . -$ageSeconds . ' s in the future; check the clock');
    }
}

/** @internal Rejects values that are not secrets, so that they do not result in a guessable key. */
function keyOf(string $secret): string
{
    $text = preg_replace('/^whsec_/', '', trim($secret));
    if ($text === '') {
        throw new \InvalidArgumentException('secrets is missing');
    }
    $key = preg_match('~^[A-Za-z0-9+/]+={0,2}$~D', $text) ? base64_decode($text) : '';
    if (strlen($key) < KEY_BYTES_MIN) {
        throw new \InvalidArgumentException('secrets: a callback secret is whsec_ followed by base64');
    }
    return $key;
}
