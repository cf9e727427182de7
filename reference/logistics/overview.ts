/** The introduction to the logistics webhook, in Markdown. The tests run its code samples. */
export const overview = `
For logistics and shop systems: send shipping orders and inbound forms, and receive callbacks when they are completed.

### API key

Every request carries the header \`Authorization: <API_KEY>\` with the key from the operator. \`Bearer <API_KEY>\` is accepted too.

- A key belongs to one account, one warehouse and one store; everything that you send with it belongs to them too.
- While a key is being rotated, the previous key remains valid until a time set by the operator.

### Requests

- POST with JSON in UTF-8 (\`content-type: application/json\`), not compressed, at most 1 MiB, complete within 15 s, at most 32 levels deep.
- Types are not converted: \`"3"\` is not \`3\`. Unknown fields are ignored. Exceptions: a number for \`phone\` or \`identifier\`, and an integer
  \`storage_type\` from 1 to 4, are converted to text.
- An optional field may be omitted, \`null\` or \`""\`; all three mean the same. An empty array in place of an optional object, as PHP may send it, also means the same.
- Money is rounded half up (away from zero) to 2 decimals. A \`price\` may be negative, a \`delivery_charge\` must not be.
- In free text, line breaks and tabs are replaced by spaces; a \`note\` keeps them.
- These bodies are rejected: duplicate keys in an object, invalid UTF-8, a byte order mark, a NUL character, a number that cannot be
  represented exactly (unless it is a fraction that is rounded), and the keys \`__proto__\` and \`constructor\`.
- Lengths are counted in characters (Unicode code points). Numbers and skus are compared exactly and must not contain control, zero-width or bidirectional characters.

### Responses

Every response is \`{done, msg, retval}\`. If \`done\` is \`false\`, \`msg\` gives the reason. Below HTTP 500, this also means that nothing was changed.

| HTTP | meaning |
|---|---|
| 200 | accepted, now or in an earlier request: \`retval\` is \`{document_no, status, idempotent}\` |
| 400 | fields are missing or invalid, or the body cannot be read |
| 401 | no valid API key |
| 404, 405, 413, 415 | unknown path, wrong method, body too large, not JSON |
| 409 | the number was already used with a different body |
| 429, 503 | too many requests; service busy. See \`Retry-After\` |
| 500 | internal error |

Every rejection lists its errors, all at once: \`retval\` is \`{errors: [{code, path, message, doc_url}]}\`, with a code for programs, the path of the field and a link to the error guide.
Unknown fields are ignored; UAT accounts get a warning about each in \`retval.warnings\`.

### Retries

\`internal_name\` and \`form_no\` are idempotency keys. They are unique within your account forever (in a UAT account, until they are purged). Orders and forms have separate number ranges.

- The same number with the same body: 200 with \`idempotent: true\` and the current status; the request has no further effect.
- The same number with a different body: 409. To change an order, cancel it and send it with a new number.
- Field order, white space and unknown fields do not matter, nor does it matter whether an optional text is \`null\`, empty or omitted.

After a time-out, a 429 or a 5xx, send the same request again. Wait for the time given in \`Retry-After\`; without it, double the delay with each attempt.

### Products

You do not need to register products first: an unknown \`sku\` is registered from the first item that uses it, with the item's \`name\` (or the sku if it has none) and
\`storage_type\`. Items do not change products that are already registered.

\`storage_type\` is \`1\` or \`ambient\`, \`2\` or \`air_conditioned\`, \`3\` or \`frozen\`, \`4\` or \`chilled\`. Any other category is stored as the text you send.

### Orders and stock

- If all units of an order are available, they are allocated immediately (good stock only, earliest expiry first): \`pending_warehouse_transfer\`.
- Otherwise the order is accepted and waits: \`awaiting_stock\`. When stock arrives, the oldest order gets it first; a newer order of this
  webhook never takes units that an older one is waiting for. Orders of the main API and the warehouse API do not wait: they take free units or are rejected.
- An item with a \`batch\` takes only units of that batch, and waits for them.
- The next statuses are \`in_warehouse\`, \`picking\`, \`packed\`, \`partially_shipped\` if it leaves in several parcels, \`shipped\`, \`arrived\` at a pickup store, and \`delivered\` or \`undelivered\`. Before \`in_warehouse\`, you can cancel an order with \`orders/cancel\` of the main API, using \`internal_names\`.

### Forms

- \`form_type\` \`1\` (inbound) and \`2\` (return) announce goods. They are \`expected\`, then \`receiving\` and \`received\` as the warehouse reports arrivals.
- \`form_type\` \`3\` stops receiving. \`form_no\` names the inbound or return form; the other fields are the same as in any form, and \`products\` may be \`[]\`. Goods that
  have arrived stay in stock, and no more are expected: \`stopped\`.

The warehouse reports arrivals in any number of portions, each unit as good or bad, with its batch and expiry date; this is also how returns are graded. Excess
units are accepted up to the tolerance that the operator has set for your key. Units still missing when the warehouse finishes are no longer expected. \`received\` in the callback
lists the goods that arrived; \`getInboundsData/searchList\` of the main API shows the same at any time. While a form is \`expected\`, you can cancel it with \`inbounds/cancel\` of the main API,
using \`form_nos\`. A form that was received on creation can also be cancelled, as long as all of its units are still free.

A stop can be repeated. It is rejected with 400 if the \`form_no\` is unknown, or if the form is already received or cancelled.
The callback of a stop goes to the \`callback_url\` of the stop form.

### UAT

Do not use production data, because UAT data is purged periodically. A form stays \`expected\` for a short time, 30 seconds unless the operator has set another one for your
key; in this time you can receive a part of it, stop or cancel it. Then the rest is received as good, and the callback follows. If the time is 0, the form is \`received\` immediately. A key
can also be configured to wait for the warehouse, as in production. Orders stay in \`pending_warehouse_transfer\`;
nothing is shipped. To see the callback of an order, cancel it.

### Callbacks

If a document has a \`callback_url\`, we POST to it when one of these events occurs. The body, the headers and examples are below, at "Callback".

| event | meaning |
|---|---|
| \`order.partially_shipped\` | Some units have left the warehouse; \`parcels\` lists what has left so far. |
| \`order.shipped\` | The order has left the warehouse; \`parcels\` lists its units, \`short\` those that were ordered but will not be shipped. |
| \`order.arrived\` | The order has arrived at the pickup store. |
| \`order.delivered\` | The recipient has the order. |
| \`order.undelivered\` | The order did not reach its recipient, for this \`reason\`; unless it is lost, we expect it back under \`return_no\`. |
| \`order.cancelled\` | The order was cancelled. |
| \`inbound.received\`, \`return.received\` | The form was received; \`received\` lists the goods that arrived. |
| \`inbound.stopped\`, \`return.stopped\` | Receiving was stopped; \`received\` lists the goods that had arrived by then. |
| \`inbound.cancelled\`, \`return.cancelled\` | The form was cancelled. |

- Verify the signature, store the event, respond with 200 immediately, and process the event afterwards.
- Each callback is delivered at least once, so the same one may arrive again with the same \`event_id\` and the same bytes. Ignore an \`event_id\` that you have already processed. The
  combination of \`document_type\`, \`document_no\` and \`sequence\` is equally unique.
- Callbacks of one document are sent in the order of their \`sequence\`: each waits until the previous one was delivered or has \`failed\`. A callback that is
  redelivered manually may arrive after a later one. Different documents do not wait for each other.
- New events and new fields may be added. Respond with 200 to events that you do not know.

### Signature of callbacks

Callbacks are signed according to [Standard Webhooks](https://www.standardwebhooks.com), which has libraries for most languages.

\`\`\`
key       = base64_decode(secret after "whsec_")
message   = id + "." + timestamp + "." + body
signature = "v1," + base64(HMAC_SHA256(key, message))
\`\`\`

- \`id\`, \`timestamp\` and \`signature\` are the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`.
- The operator gives you the secret (\`whsec_...\`), one per API key. It is not the API key itself.
- Verify the raw bytes of the body, before parsing them. Reject a timestamp that is more than 5 minutes off: each attempt has a new timestamp and signature.
- While a secret is being rotated, callbacks carry two signatures separated by a space. Accept the callback if either matches; you can then switch secrets at any time.

Without a library:

\`\`\`ts
import * as crypto from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export function isGenuine(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const given = String(headers['webhook-signature']);

  const age = Date.now() / 1000 - Number(timestamp);
  if (!(Math.abs(age) <= 300)) return false;

  const key = secret.slice('whsec_'.length);
  const signature = crypto
    .createHmac('sha256', Buffer.from(key, 'base64'))
    .update(\`\${id}.\${timestamp}.\`)
    .update(body)
    .digest('base64');
  const expected = Buffer.from(\`v1,\${signature}\`);
  return given
    .split(' ')
    .map((one) => Buffer.from(one))
    .some(
      (one) =>
        one.length === expected.length &&
        crypto.timingSafeEqual(one, expected),
    );
}
\`\`\`

With \`npm install standardwebhooks\`:

\`\`\`ts
import { Webhook } from 'standardwebhooks';

/** Returns the event; throws if the signature is not valid. */
export function readCallback(
  headers: Record<string, string>,
  body: Buffer,
  secret: string,
): unknown {
  return new Webhook(secret).verify(body, headers);
}
\`\`\`

### Retries of callbacks

A 2xx response within 15 s means that the callback was delivered. After anything else, including a redirect, we retry after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, each
delay up to 10 % longer.

- \`Retry-After\`, in seconds or as a date, extends the delay, up to 1 h.
- 410 stops the retries immediately.
- After the last attempt, about 28 hours after the first, the callback is \`failed\` and is no longer retried automatically. You can redeliver one or many with
  \`callbacks/redeliver\` of the main API; the operator can do the same with \`lading callbacks redeliver\`.
- If a receiver keeps failing, we pause it for up to 5 min and then try one callback at a time until it responds. Its other callbacks wait in the
  meantime and fail after 31 hours. Other receivers are not affected.

### Where callbacks go

Callbacks go to \`http\` and \`https\` URLs at public addresses, on any port. A URL with a private, local or reserved IP address is rejected like any other
field error; if a host name resolves to such an address, the attempt fails. We do not follow redirects. The certificate must be valid for the host.
The URL must not contain a user name or password.

### Recovering missed events

Use the main API: \`getOrdersData/searchList\` by \`orders.updated_at\` or \`orders.internal_name\`, \`getInboundsData/searchList\` by
\`inbounds.updated_at\` or \`inbounds.form_no\`. \`getCallbacksData/searchList\` lists the callbacks with every attempt and your responses.
`.trim();
