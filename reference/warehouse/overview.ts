/** The introduction to the warehouse API, in Markdown. */
export const overview = `
For warehouse systems: sync products, announce goods and returns, create orders, cancel either, and query stock.

### Signing

Every request carries the headers \`account-no\`, \`timestamp\` and \`sign\`.

\`\`\`
message = bytes of the body + timestamp
sign    = lower_hex(HMAC_SHA256(secret, message))
\`\`\`

- Sign the exact bytes of the body that you send: serialize once, sign the result, send the result.
- The timestamp follows the body without a separator. It is in Unix seconds (10 digits) and may differ from the server time by at most 300 seconds.
- Create a new signature for every attempt. Send each of the three headers exactly once.
- The account is identified by the header only; a field \`account_no\` in the body has no effect.
- While a secret is being rotated, the previous secret remains valid until a time set by the operator.

### Requests

- JSON in UTF-8 (\`content-type: application/json\`), not compressed, at most 1 MiB, complete within 15 s, at most 32 levels deep.
- Types are not converted: \`"3"\` is not \`3\`. Unknown fields are ignored; UAT accounts get a warning about each in \`data.warnings\`.
- An optional field may be omitted, \`null\` or \`""\`; all three mean the same. An empty array in place of an optional object, as PHP may send it, also means the same.
  (In \`product/sync\`, an omitted field remains unchanged, while \`null\` and \`""\` clear it.)
- Measures are rounded half up to 3 decimals. In free text, line breaks and tabs are replaced by spaces.
- These bodies are rejected: duplicate keys in an object, invalid UTF-8, a byte order mark, a NUL character, a number that cannot be
  represented exactly (unless it is a fraction that is rounded), and the keys \`__proto__\` and \`constructor\`.
- Lengths are counted in characters (Unicode code points). Identifiers are compared exactly and must not contain control, zero-width
  or bidirectional characters. Length, width and height are in centimetres, weight in kilograms, quantities in units.

### Responses

Every response is \`{code, trace_id, message, success, data}\` and has the header \`trace-id\`, equal to \`trace_id\`.
(Bytes that are not a valid HTTP request are answered with 400, 408 or 431 and \`{done, msg, retval}\`.)

| HTTP | code | meaning |
|---|---|---|
| 200 | \`LST-TPW-2000\` | success |
| 200, per entry | \`LST-TPW-6001\` | this outbound order can no longer be cancelled |
| 400 | \`LST-TPW-2001\` | duplicate inbound document: not an error, the original was accepted |
| 400 | \`PARAM_INVALID\` | a field is missing or invalid, the tenant is unknown, or stock is insufficient; \`data.errors\` lists all errors |
| 401 | \`LST-TPW-4001\` | authentication failed |
| 404, 405, 413, 415 | \`PARAM_INVALID\` | unknown path, wrong method, body too large, not JSON |
| 429 | \`LST-TPW-4290\` | too many requests; see \`Retry-After\` |
| 500 | \`LST-TPW-5000\` | internal error |
| 503 | \`LST-TPW-5030\` | the integration is not enabled |
| 503 | \`LST-TPW-5031\` | the service is busy, or its database is unavailable; see \`Retry-After\` |

Checks run in this order: the integration is enabled; headers, account, timestamp, signature; the integration is enabled for the account; JSON and
fields; number already used; tenant; sku; ship method; stock. A rejected request changes nothing.

The text of these messages is guaranteed: \`success\`, \`unknown tenant\`, \`sku_id not found\`, \`unknown ship_method mapping\`,
\`sku <sku_id> available=<N> < requested=<M>\`. Base decisions on \`code\`; all other messages are meant for people.

Every rejection lists its errors in \`data.errors\`: \`[{code, path, message, doc_url}]\`, with a code for programs, the path of the field and a link to
the error guide.

### Retries

Every request can safely be sent again. After a time-out, a 429 or a 5xx, retry with the same body: a repeated \`product/sync\` or
cancellation has no further effect, a repeated \`outbound/create\` returns the original order, and a repeated \`inbound/create\` or
\`inbound/return\` returns \`LST-TPW-2001\` and the numbers of the original. Wait for the time given in \`Retry-After\`; without it, double the delay with each attempt.

### Getting started

Recommended order: \`product/sync\`, \`inbound/create\`, \`stock/query\`, \`outbound/create\`, \`inbound/return\`, the cancellations, then the same
numbers once more. The examples below build on each other and can be sent in that order.

UAT accounts: do not use production data, because UAT data is purged periodically. Goods are in stock as soon as their document is created. Orders stay
in the status before the transfer to the warehouse; nothing is shipped. \`warehouse_tpw_id\` is provisional and is replaced for production.
In production, goods are added to stock when the warehouse reports them as received.
`.trim();
