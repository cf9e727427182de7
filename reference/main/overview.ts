import { anyOfMax, pageSizeDefault, pageSizeMax } from '../../contract/main/search-list.ts';

/** The introduction to the main API, in Markdown. */
export const overview = `
For shop software, back offices and warehouse systems: search stock, products, orders, inbound documents and callbacks; create and cancel orders;
report received goods and the progress of orders.

### Access tokens

\`POST /api/v1/token/getToken\` exchanges a ClientId and a CheckValue for an access token. All other operations require it as \`Authorization: Bearer <access_token>\`.

- A token is valid until it expires (after \`expires_in\` seconds): get one, cache it, and share it among your processes.
- On HTTP 401, get a new token and retry the request once. Let one process renew the token while the others wait.
- Each operation requires a permission of the client. Without it, the response is 403 and names the permission, also as \`scope\` in \`WWW-Authenticate\`. A client only sees the data of its own account.
- Requests of a disabled client are rejected within seconds, even if its token has not expired.
- The token is a JWT, signed with ES256. The public keys are at \`/.well-known/jwks.json\`; look up the key of a token by \`kid\`, because keys are rotated.

### Requests

- POST with JSON in UTF-8 (\`content-type: application/json\`), not compressed, at most 1 MiB (4 KiB for the token endpoint).
- Types are not converted: \`"3"\` is not \`3\`.
- An optional field may be omitted, \`null\` or \`""\`; all three mean the same.
- Bodies with duplicate keys in an object, invalid UTF-8, a NUL character or a number that cannot be represented exactly are rejected.
- Times use RFC 3339 with an offset; we write them in Taipei time with microseconds. Dates are \`YYYY-MM-DD\`.

### Responses

Every response is \`{done, msg, retval}\`. If a request is rejected, \`done\` is \`false\`, \`msg\` gives the reason, \`retval\` is \`null\`, and nothing was changed.
\`errors\` then lists all errors: \`[{code, path, message, doc_url}]\`, with a code for programs, the path of the field and a link to the error guide.
Unknown fields are ignored; UAT accounts get a warning about each in \`retval.warnings\`.

### Status of orders and inbound documents

| status of an order | until |
|---|---|
| \`awaiting_stock\` | all of its units are in stock; only orders of the logistics webhook wait, oldest first |
| \`pending_warehouse_transfer\` | it is transferred to the warehouse; its units are allocated. Orders of a UAT account stay in this status |
| \`in_warehouse\`, \`picking\`, \`packed\` | the warehouse reports the next step (\`fulfilment/advance\`); the order can no longer be cancelled |
| \`shipped\` | it is delivered; its units have left the stock |
| \`delivered\`, \`cancelled\` | final |

| status of an inbound document or return | until |
|---|---|
| \`expected\` | the first units arrive (\`inbounds/receive\`); until then it can be cancelled |
| \`receiving\` | all announced units have arrived, the last portion is reported (\`final\`), or receiving is stopped (\`inbounds/stop\`) |
| \`received\`, \`stopped\`, \`cancelled\` | final. Exception: if goods are in stock as soon as their document is created, the document is \`received\` immediately and can be cancelled while all of its units are still free |

Each row of the order and inbound lists has a \`timeline\`: every change with its time, its author and the trace id of the request.

### Searching

All five lists are searched in the same way. The body is an object whose keys are filters; a row must match all of them, and \`{}\` lists everything. A filter that is
\`null\` or \`""\` is ignored; the only exception is \`products_stock.batch_id\`, where \`""\` finds lots without a batch.

| filter | finds rows whose field |
|---|---|
| \`"orders.status": "shipped"\` | equals the value |
| \`"orders.status": ["picking", "packed"]\` | equals any of the values (at most ${anyOfMax}) |
| \`"orders.created_at": {"gte": "2026-11-01T00:00:00+08:00", "lt": "2026-12-01T00:00:00+08:00"}\` | is in the range; \`gte\`, \`gt\`, \`lte\`, \`lt\` |
| \`"orders.outbound_short_id": {"prefix": "WEB-"}\` | starts with the text |
| \`"orders.channel": {"ne": "main"}\` | differs from the value |

- \`page_size\`: 1-${pageSizeMax}, default ${pageSizeDefault}.
- \`sort\`: a field, or \`-\` followed by a field. By default, orders, inbounds and callbacks are sorted newest first, and stocks and products by \`sku_id\`; however, a range
  or prefix filter may return rows in the order of its own field. If the order matters to you, specify it. Text is compared byte by byte.
- \`cursor\`: the \`next_cursor\` of the previous page, with the same filters and the same sort; omit it for the first page. \`next_cursor\` is \`null\` on the last page. A page
  may have fewer rows than requested, or none, even if more follow: continue until \`next_cursor\` is \`null\`.
- All pages cost the same, from the first to the last. Paging is stable while rows are added: no row is returned twice, and no existing row is missed.
- To follow changes, search for \`updated_at\` starting one minute before your previous search, and ignore rows that you have already seen: a change may
  become visible shortly after its timestamp.
- A row without a value in a field, such as an order without \`shipment_no\`, is not found by filters on that field. A lot that never expires counts as later than any date.
- An unknown filter or sort key is rejected with 400, and the message names it.
`.trim();
