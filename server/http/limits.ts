// Deadlines and sizes that apply to every request.

export const headersDeadlineSeconds = 10;
export const requestDeadlineSeconds = 15;
export const keepAliveSeconds = 65;
/** How often Node looks for late requests, and therefore how far a request can exceed its deadline. */
export const deadlineCheckMs = 100;
export const connectionsMax = 20_000;

export const bodyMaxBytes = 1_048_576;
/** Endpoints for anonymous callers parse the body before they know anything about its sender. */
export const anonymousBodyMaxBytes = 4096;
/** Parsing, checking and processing a larger body take about 20 ms each, so other requests are served in between. */
export const largeBodyBytes = 100_000;

/** Without this limit, unfinished bodies on all connections could hold 20 GB. */
export const bodiesHeldMaxBytes = 128 * 1_048_576;
/**
 * Bodies up to this size are always accepted. Nearly all bodies are smaller, and the number of connections limits their
 * total.
 */
export const smallBodyBytes = 16_384;

/** Diagnoses of rejected signatures that a UAT account can ask for. */
export const diagnosesPerMinute = 10;
