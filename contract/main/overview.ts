import { anyOfMax, pageSizeDefault, pageSizeMax } from './search-list.ts';

/** What holds for all operations of the main API; Markdown. */
export const overview = `
For shops' own software, other back offices and the systems of warehouses: look at stock, products, orders, inbound documents and callbacks, create orders and cancel
them, report what has arrived and how far orders have come.

### Access tokens

\`POST /api/v1/token/getToken\` turns a ClientId and a CheckValue into an access token. Every other operation wants it as \`Authorization: Bearer <access_token>\`.

- A token can be used until it expires (\`expires_in\` seconds): get one, keep it, share it among your processes.
- On HTTP 401 get a new one and send the request once more. Let one process renew while the others wait.
- Each operation needs a permission of the client; without it, the answer is 403 and names it, also as \`scope\` in \`WWW-Authenticate\`. A client sees the data of its own account only.
- A client that is disabled is refused within seconds, whatever its token says.
- The token is a JWT, signed with ES256. Its public keys are at \`/.well-known/jwks.json\`; look a token's key up by \`kid\`, since keys change.

### Requests

- POST with JSON in UTF-8 (\`content-type: application/json\`), not compressed, at most 1 MiB (4 KiB for the token call).
- Nothing is converted: \`"3"\` is not \`3\`.
- An optional field that is left out, \`null\` or \`""\` is the same thing.
- A key that appears twice in an object, invalid UTF-8, a NUL character and a number that cannot be kept exactly are refused.
- Times are in RFC 3339 with their offset; we write them in the time of Taipei, to the microsecond. Dates are \`YYYY-MM-DD\`.

### Answers

Every answer is \`{done, msg, retval}\`. Where something was refused, \`done\` is \`false\`, \`msg\` says why, \`retval\` is \`null\`, and nothing was changed.

### Orders and goods on their way

| an order is | until |
|---|---|
| \`awaiting_stock\` | there is stock for all of it; only orders of the logistics webhook wait, the oldest first |
| \`pending_warehouse_transfer\` | it is handed to the warehouse; its units are locked. Orders of a UAT account stay here |
| \`in_warehouse\`, \`picking\`, \`packed\` | the warehouse reports the next step (\`fulfilment/advance\`); it can no longer be cancelled |
| \`shipped\` | it is delivered; its units have left the stock |
| \`delivered\`, \`cancelled\` | for ever |

| an inbound document or return is | until |
|---|---|
| \`expected\` | the first units arrive (\`inbounds/receive\`), or all; until then it can be cancelled |
| \`receiving\` | all that was announced has arrived, or no more is to come (\`final\`), or receiving is stopped (\`inbounds/stop\`) |
| \`received\`, \`stopped\`, \`cancelled\` | for ever; but where goods are on hand as soon as their document is created, that is \`received\` at once and can be cancelled while all of them are free |

Each row of the lists has its \`timeline\`: every change with its time, who made it and the trace id of the call.

### Searching

The five lists are searched in the same way. The body is an object whose keys are filters, and all of them must hold; \`{}\` lists everything. A filter that is
\`null\` or \`""\` is ignored, except that \`products_stock.batch_id\` finds lots without a batch by \`""\`.

| filter | finds rows whose field |
|---|---|
| \`"orders.status": "shipped"\` | equals the value |
| \`"orders.status": ["picking", "packed"]\` | equals any of them, ${anyOfMax} at most |
| \`"orders.created_at": {"gte": "2026-11-01T00:00:00+08:00", "lt": "2026-12-01T00:00:00+08:00"}\` | lies in the range; \`gte\`, \`gt\`, \`lte\`, \`lt\` |
| \`"orders.outbound_short_id": {"prefix": "WEB-"}\` | begins so |
| \`"orders.channel": {"ne": "main"}\` | differs from the value |

- \`page_size\`: 1-${pageSizeMax}, ${pageSizeDefault} where it is left out.
- \`sort\`: a field, or \`-\` and a field. Where it is left out, orders, inbounds and callbacks come newest first, stocks and products by their \`sku_id\`; but
  a range or a prefix may bring rows in the order of its own field. Where the order matters to you, name it. Text is compared byte by byte.
- \`cursor\`: \`next_cursor\` of the page before, with the same filters and the same sort; left out for the first page. \`next_cursor\` is \`null\` on the last page. A page may have fewer rows than you asked
  for, or none, although others follow: go on until \`next_cursor\` is \`null\`.
- Every page costs the same, the first and the last one. Pages are stable while rows are being added: none comes twice, none that was there is missed.
- To follow what changes, ask for \`updated_at\` from a minute before your last look, and pass over what you have seen: a change may become visible a moment
  after its time.
- A row that does not have a field, such as an order without \`shipment_no\`, is found by no filter on it. A lot that never expires counts as later than every date.
- A filter or a sort key that a list does not have is refused with 400, and named.
`.trim();
