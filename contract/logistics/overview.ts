/** What holds for the logistics webhook as a whole; Markdown. The tests run its code. */
export const overview = `
For logistics and shop systems: send shipping orders and the forms of goods that come in, and be called back when they are done with.

### API key

Every request carries the header \`Authorization: <API_KEY>\`: the key itself, from the operator. \`Bearer <API_KEY>\` is tolerated.

- A key belongs to one account, one warehouse and one store; so does what you send with it.
- While a key is being rotated, the previous one stays valid until the time that the operator has set.

### Requests

- POST with JSON in UTF-8 (\`content-type: application/json\`), not compressed, at most 1 MiB, complete within 15 s, at most 32 levels deep.
- Nothing is converted: \`"3"\` is not \`3\`. Unknown fields are ignored. The exceptions: a number for \`phone\` or \`identifier\`, and an integer
  \`storage_type\` from 1 to 4, are taken as their text.
- An optional field that is left out, \`null\` or \`""\` is the same thing; so is an empty list in the place of an optional object, which PHP writes for one.
- Money is rounded half up (away from zero) to 2 decimals. A \`price\` may be negative, \`delivery_charge\` may not.
- In text for people, line breaks and tabs become spaces; a \`note\` keeps them.
- Refused rather than guessed at: a key that appears twice in an object, invalid UTF-8, a byte order mark, a NUL character, a number that
  cannot be kept exactly (unless it is a fraction that is rounded), the keys \`__proto__\` and \`constructor\`.
- Lengths are counted in characters (Unicode code points). Numbers and skus are compared exactly, and have no control, zero-width or bidirectional characters.

### Answers

Every answer is \`{done, msg, retval}\`. Where \`done\` is \`false\`, \`msg\` says why, and below HTTP 500 nothing was changed.

| HTTP | meaning | \`retval\` |
|---|---|---|
| 200 | accepted, or known already | \`{document_no, status, idempotent}\` |
| 400 | fields are missing or wrong | \`{errors: [{path, message}]}\`: all of them at once |
| 400 | the body cannot be read | \`null\` |
| 401 | no valid API key | \`null\` |
| 404, 405, 413, 415 | unknown path, wrong method, body too large, not JSON | \`null\` |
| 409 | the number was used before with another body | \`null\` |
| 429, 503 | too many requests; busy. See \`Retry-After\` | \`null\` |
| 500 | internal error | \`null\` |

### Sending again

\`internal_name\` and \`form_no\` are idempotency keys, unique for ever in your account (of a UAT account, until they are purged). Orders and forms have their numbers each for themselves.

- The same number with the same body: 200 with \`idempotent: true\` and the status of today; nothing is done again.
- The same number with another body: 409. To change an order, cancel it and send a new number.
- The order of fields, white space and unknown fields make no difference; nor does it whether an optional text is \`null\`, empty or left out.

After a time-out, a 429 or a 5xx, send the same again: wait as long as \`Retry-After\` says, else double the wait with each try.

### Products

They need not be made known before: an unknown \`sku\` is registered from the first item that names it, with its \`name\` (else the sku) and its
\`storage_type\`. A product that is known is not altered by an item.

\`storage_type\` is \`1\` or \`ambient\`, \`2\` or \`air_conditioned\`, \`3\` or \`frozen\`, \`4\` or \`chilled\`. Any other category is kept as the text that it is.

### Orders and stock

- An order that finds all its units gets them at once, good stock only, earliest expiry first: \`pending_warehouse_transfer\`.
- Otherwise it is accepted all the same and waits: \`awaiting_stock\`. As stock arrives, the oldest order gets it first; a younger one of this
  webhook never takes what an older one waits for. Orders of the main and the warehouse API do not wait: they take what is free, or are refused.
- An item with a \`batch\` takes units of that batch only, and waits for them.
- Then \`in_warehouse\`, \`picking\`, \`packed\`, \`shipped\`, \`delivered\`. Before \`in_warehouse\`, \`orders/cancel\` of the main API cancels it, by \`internal_names\`.

### Forms

- \`form_type\` \`1\` (inbound) and \`2\` (return) announce goods: \`expected\`, then \`receiving\` and \`received\` as the warehouse reports them.
- \`form_type\` \`3\` stops receiving. \`form_no\` names the inbound or return; the other fields are those of any form, \`products\` may be \`[]\`. What has
  arrived stays, the rest is closed: \`stopped\`.

The warehouse reports what has arrived, in any number of portions, each unit as good or bad and with its batch and expiry date; returns are graded so. More than
was announced is accepted as far as the operator has set it for your key. What is missing when the warehouse is done is not waited for. \`received\` in the callback
says what came; so does \`getInboundsData/searchList\` of the main API, at any time. While a form is \`expected\`, \`inbounds/cancel\` of the main API
cancels it, by \`form_nos\`; one that was received with its creation too, as long as its units are all still free.

A stop can be repeated. It is refused with 400 for a \`form_no\` that is not known, and for a form that is received or cancelled already.
The callback of a stop goes to the \`callback_url\` of the stop.

### UAT

Use no production data, since UAT data is purged periodically. Goods are on hand as soon as their form is created, so it is \`received\` at once and
its callback comes at once (unless your key is set to wait for the warehouse, as in production). Orders stay in \`pending_warehouse_transfer\`;
nothing is shipped. To see the callback of an order, cancel it.

### Callbacks

Where a document has a \`callback_url\`, we POST to it when one of these happens. The body, the headers and examples are below, at "Callback".

| event | meaning |
|---|---|
| \`order.shipped\` | The order has left the warehouse, with \`shipment_no\` and \`carrier\`. |
| \`order.cancelled\` | The order was cancelled. |
| \`inbound.received\`, \`return.received\` | The form is received; \`received\` says what has arrived. |
| \`inbound.stopped\`, \`return.stopped\` | Receiving was stopped; \`received\` says what has arrived until then. |
| \`inbound.cancelled\`, \`return.cancelled\` | The form was cancelled. |

- Verify the signature, put the event away, answer 200 at once, and work on it afterwards.
- Each is delivered at least once, so the same may come again: same \`event_id\`, same bytes. Pass over an \`event_id\` that you have seen; or
  go by \`document_type\`, \`document_no\` and \`sequence\` together, which are as unique.
- Callbacks of one document come in the order of their \`sequence\`: the next one waits until the one before has arrived or has \`failed\`. What
  is sent again by hand may come after a later one. Different documents do not wait for each other.
- New events and new fields may be added. Answer 200 to those that you do not know.

### Signature of callbacks

Callbacks are signed as [Standard Webhooks](https://www.standardwebhooks.com) says, which has libraries for most languages.

\`\`\`
key       = base64_decode(secret after "whsec_")
message   = id + "." + timestamp + "." + body
signature = "v1," + base64(HMAC_SHA256(key, message))
\`\`\`

- \`id\`, \`timestamp\` and \`signature\` are the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`.
- The secret comes from the operator, \`whsec_...\`, one per API key. It is not the API key.
- Verify the bytes as they came, before anything parses them. Refuse a timestamp more than 5 minutes off: each try is signed anew.
- While a secret is being rotated there are two signatures with a space between them. One that matches is enough, so you can change over at any time.

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

/** The event; throws where it is not genuine. */
export function readCallback(
  headers: Record<string, string>,
  body: Buffer,
  secret: string,
): unknown {
  return new Webhook(secret).verify(body, headers);
}
\`\`\`

### Retries of callbacks

Any 2xx within 15 s means that it has arrived. Anything else, a redirect too, is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, each
up to a tenth longer.

- \`Retry-After\`, in seconds or as a date, makes the wait longer, up to 1 h.
- 410 ends it at once.
- After the last try, about 28 hours after the first, the callback is \`failed\` and is not sent again by itself. Send it again, one or many, by
  \`callbacks/redeliver\` of the main API; the operator can too, by \`lading callbacks redeliver\`.
- A receiver that keeps failing is left alone for a while, 5 min at most, and then tried with one callback at a time until it answers; the others wait
  meanwhile, and are given up after 31 hours. It delays nobody else.

### Where callbacks go

To \`http\` and \`https\` URLs at public addresses, to any port. An address that is plainly private, local or reserved is refused together with the other
field errors; where only the DNS tells, the try fails. Redirects are not followed. The certificate must be valid for the host.
No user name or password in the URL.

### Missed something?

Ask the main API: \`getOrdersData/searchList\` by \`orders.updated_at\` or \`orders.internal_name\`, \`getInboundsData/searchList\` by
\`inbounds.updated_at\` or \`inbounds.form_no\`. \`getCallbacksData/searchList\` lists the callbacks with every try and what you answered.
`.trim();
