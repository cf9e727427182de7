<?php

/** Carries out commands from standard input with the client in argv[1]: one line of JSON each way. */

declare(strict_types=1);

namespace Lading;

require $argv[1] . '/lading.php';

/** Waiting takes no time: it moves the clock, and is recorded. */
final class Clock
{
    public static array $waits = [];
    public static array $warnings = [];
}

function usleep(int $microseconds): void
{
    Clock::$waits[] = $microseconds / 1e6;
}

function time(): int
{
    return (int) floor(microtime(true) + array_sum(Clock::$waits));
}

function hrtime(bool $_): int
{
    return \hrtime(true) + (int) (array_sum(Clock::$waits) * 1e9);
}

const KINDS = [
    'warehouse' => WarehouseClient::class,
    'main' => MainClient::class,
    'logistics' => LogisticsClient::class,
];

function call(array $command): mixed
{
    static $clients = [];
    $onWarnings = function (array $found, string $path): void {
        Clock::$warnings[] = [$path, $found];
    };
    $kind = KINDS[$command['kind']];
    $clients[$command['client']] ??= new $kind(
        $command['url'],
        ...$command['credentials'],
        ...($command['named'] ?? []),
        options: new Options(...($command['options'] ?? []), onWarnings: $onWarnings),
    );
    $result = $clients[$command['client']]->{$command['method']}(...$command['args']);
    return $result instanceof \Generator ? iterator_to_array($result, false) : $result;
}

function verify(array $command): array
{
    $seen = fn (string $event): bool => in_array($event, $command['seen'], true);
    $body = base64_decode($command['body']);
    return verifyCallback($command['headers'], $body, $command['secrets'], now: $command['now'], seen: $seen);
}

function methods(): array
{
    $named = fn (string $class): array => array_map(
        fn (\ReflectionMethod $method): string => $method->name,
        (new \ReflectionClass($class))->getMethods(\ReflectionMethod::IS_PUBLIC),
    );
    return array_map(fn ($class) => array_values(array_diff($named($class), ['__construct'])), KINDS);
}

function taken(array &$list): array
{
    [$found, $list] = [$list, []];
    return $found;
}

function carryOut(array $command): mixed
{
    return match ($command['do']) {
        'call' => call($command),
        'verify' => verify($command),
        'sign' => signRequest(
            $command['account_no'],
            $command['secret'],
            base64_decode($command['body']),
            $command['timestamp'],
        ),
        'methods' => methods(),
        'waits' => taken(Clock::$waits),
        'warnings' => taken(Clock::$warnings),
        'version' => VERSION,
    };
}

function factsOf(\Exception $error): array
{
    $facts = ['message' => $error->getMessage()];
    if ($error instanceof LadingError) {
        return $facts + [
            'kind' => substr(strrchr($error::class, '\\'), 1),
            'reason' => $error->reason,
            'status' => $error->status,
            'code' => $error->errorCode,
            'trace_id' => $error->traceId,
            'retry_after_seconds' => $error->retryAfterSeconds,
            'errors' => $error->errors,
        ];
    }
    if ($error instanceof CallbackError) {
        return $facts + ['kind' => 'CallbackError', 'reason' => $error->reason];
    }
    return $facts + ['kind' => 'ArgumentError'];
}

while (($line = fgets(STDIN)) !== false) {
    $command = json_decode($line, true);
    try {
        $answer = ['ok' => carryOut($command)];
    } catch (LadingError | CallbackError | \InvalidArgumentException $error) {
        $answer = ['error' => factsOf($error)];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
}
