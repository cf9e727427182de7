/** The introduction to the warehouse connector, in Markdown. */
export const overview = `
For warehouse systems. If the operator has configured the connector \`http\` for a warehouse, we POST its orders to your URL in waves: every 60 s, unless
the operator has set another interval. We send only orders of production accounts. A request has orders of one account, in order of creation; accounts
take turns, beginning with the one that has the oldest order.

### Accepting orders

- A 2xx response within 15 s means that you have accepted all orders of the request. From then on they are \`in_warehouse\` and can no longer be cancelled.
- To accept only some, name the rejected ones in the response: \`{"results": [{"transfer_id": "...", "accepted": false, "reason": "..."}]}\`. A rejected order
  is kept back with your reason until the operator sends it again (under a new \`transfer_id\`) or it is cancelled. The other orders of the wave proceed.
- 400, 409, 413 and 422 mean that you reject the request as a whole. We split it in halves and send them again until the order that causes the rejection is
  alone. We reject that order, and record your status and the first 500 characters of your response.
- After any other response, including a redirect, or no response within 15 s, we retry after 5 s, 30 s, 2 min, and then every 5 min, each delay up to 10 %
  longer. \`Retry-After\` extends the delay, up to 1 h. We send no newer orders in the meantime, with this exception:
- After three consecutive failures, we immediately split a request that fails with 5xx in halves. If an order fails with 5xx even when sent alone, we skip it: the
  other orders and newer ones proceed, and we retry the skipped order alone at the start of each later wave: every 2 min, or sooner while many orders are waiting.
  If three orders in one wave fail like this, we consider your system down and wait as described above.

Each order is delivered at least once. The same order may therefore arrive again with the same \`transfer_id\`, possibly together with other orders than before.
Ignore a \`transfer_id\` that you have already processed, and respond as you did the first time. An order cannot be cancelled while we do not know whether you have accepted it.

### Changes of accepted orders

If the operator has configured a \`changes_url\`, we POST to it what accounts want to change in orders that you have accepted and not reported as \`picking\`: \`order.updated\` with the new
values of some fields, \`order.held\` (do not pick it) and \`order.released\`. A 2xx response within 15 s means that you have made the changes, except those that you name:
\`{"results": [{"change_id": "...", "accepted": false, "reason": "..."}]}\`. 400, 409, 413 and 422 refuse the request as a whole, and we split it as above. After any other response, or none, the
next wave asks again with the same \`change_id\`. Without a \`changes_url\` we never send changes, and accounts cannot change an order that you have.

### Reporting progress

Report progress with \`fulfilment/advance\` of the main API: \`picking\`, \`packed\`, \`shipped\`, \`delivered\`. You may report before you have responded to the
transfer. A client of the main API can only report on orders of its own account: use the client that belongs to the \`account_no\` of the order.

### Signature

Requests are signed according to [Standard Webhooks](https://www.standardwebhooks.com); the logistics webhook below shows how to verify them. The operator gives you the
secret. If it starts with \`whsec_\`, the rest is the key in base64; otherwise the bytes of the secret are the key. While the secret is being rotated, requests carry two
signatures separated by a space; accept the request if either matches.
`.trim();
