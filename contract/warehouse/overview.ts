/** What holds for all endpoints of the warehouse API; Markdown. */
export const overview = `
For warehouse systems: sync products, announce goods and returns, create orders, cancel either, ask for stock.

### Signing

Every request carries the headers \`account-no\`, \`timestamp\` and \`sign\`.

\`\`\`
message = bytes of the body + timestamp
sign    = lower_hex(HMAC_SHA256(secret, message))
\`\`\`

- The body is signed as the exact bytes that are sent: serialize once, sign that, send that.
- The timestamp follows the body without a separator: Unix seconds, 10 digits, at most 300 seconds away from the time of the server.
- Sign anew for every try. Each of the three headers comes once.
- The account stands in the header only; a field \`account_no\` in the body has no effect.
- While a secret is being rotated, the previous one stays valid until the time that the operator has set.

### Requests

- JSON in UTF-8 (\`content-type: application/json\`), not compressed, at most 1 MiB, complete within 15 s, at most 32 levels deep.
- Nothing is converted: \`"3"\` is not \`3\`. Unknown fields are ignored.
- An optional field that is left out, \`null\` or \`""\` is the same thing; so is an empty list in the place of an optional object, which PHP writes for one.
  (At \`product/sync\`, a field that is left out stays as it was; \`null\` and \`""\` clear it.)
- Measures are rounded half up to 3 decimals. In text for people, line breaks and tabs become spaces.
- Refused rather than guessed at: a key that appears twice in an object, invalid UTF-8, a byte order mark, a NUL character, a number that
  cannot be kept exactly (unless it is a fraction that is rounded), the keys \`__proto__\` and \`constructor\`.
- Lengths are counted in characters (Unicode code points). Identifiers are compared exactly, and have no control, zero-width
  or bidirectional characters. Length, width and height are in centimetres, weight in
  kilograms, quantities in units.

### Answers

Every answer is \`{code, trace_id, message, success, data}\` and has the header \`trace-id\`, equal to \`trace_id\`.
(Bytes that are no valid HTTP request are answered with 400, 408 or 431 and \`{done, msg, retval}\`.)

| HTTP | code | meaning |
|---|---|---|
| 200 | \`LST-TPW-2000\` | success |
| 200, per entry | \`LST-TPW-6001\` | this outbound order can no longer be cancelled |
| 400 | \`LST-TPW-2001\` | duplicate inbound document: not an error, the original was accepted |
| 400 | \`PARAM_INVALID\` | a field is missing or wrong, the tenant is unknown, stock is short; \`data.errors\` lists all mistakes |
| 401 | \`LST-TPW-4001\` | authentication failed |
| 404, 405, 413, 415 | \`PARAM_INVALID\` | unknown path, wrong method, body too large, not JSON |
| 429 | \`LST-TPW-4290\` | too many requests; see \`Retry-After\` |
| 500 | \`LST-TPW-5000\` | internal error |
| 503 | \`LST-TPW-5030\` | the integration is not enabled |
| 503 | \`LST-TPW-5031\` | busy, or the database is out of reach; see \`Retry-After\` |

These are checked in this order: the integration is enabled; headers, account, timestamp, signature; it is enabled for the account; JSON and
fields; a number that was used before; tenant; sku; ship method; stock. A refusal changes nothing.

These messages are fixed to the letter: \`success\`, \`unknown tenant\`, \`sku_id not found\`, \`unknown ship_method mapping\`,
\`sku <sku_id> available=<N> < requested=<M>\`. Decide by \`code\`; read other messages as text for people.

### Sending again

Every call can be sent again safely, and after a time-out, a 429 or a 5xx it should be, with the same body: a repeated \`product/sync\` or
cancellation changes nothing further, a repeated \`outbound/create\` returns the original order, a repeated \`inbound/create\` or
\`inbound/return\` is answered with \`LST-TPW-2001\` and the numbers of the original. Wait as long as \`Retry-After\` says; else double the wait with each try.

### Trying it out

Recommended order: \`product/sync\`, \`inbound/create\`, \`stock/query\`, \`outbound/create\`, \`inbound/return\`, the cancellations, then the same
numbers once more. The examples below belong together and can be sent in that order.

UAT accounts: use no production data, since it is purged periodically. Goods are on hand as soon as their document is created. Orders stay
in the state before the warehouse; nothing is shipped. \`warehouse_tpw_id\` is provisional and is replaced for production.
In production, goods count when the warehouse reports them received.
`.trim();
