/** What holds for the connector of a warehouse as a whole; Markdown. */
export const overview = `
For the system of a warehouse. Where the operator has connected a warehouse by \`http\`, we POST its orders to one address of yours, in waves: every 60 s unless the
operator has set another time. Only orders of production accounts are sent, in the order in which they were created, over all accounts of the warehouse.

### Taking orders

- Answer 2xx within 15 s: you have all of them. They are \`in_warehouse\` from then on, and can no longer be cancelled.
- To take only some, name the others in the answer: \`{"results": [{"transfer_id": "...", "accepted": false, "reason": "..."}]}\`. A rejected order is put aside
  with your reason, until the operator has it sent again (under a new \`transfer_id\`) or it is cancelled. The others of the wave go on.
- 400, 409, 413 and 422 say that you do not want the request as it is. We send it again in halves until the order that is the cause is alone, and put that one aside, with your
  status and the first 500 characters of your answer.
- Anything else, a redirect and no answer within 15 s too, is tried again after 5 s, 30 s, 2 min, then every 5 min, each up to a tenth longer;
  \`Retry-After\` makes the wait longer, up to 1 h. No newer order is sent before, but for this:
- After three failures in a row, what you answer with 5xx we send again in halves at once. An order that you answer so even when it is alone is passed by: the others and newer ones go on,
  and it is tried again, alone, at the beginning of each wave to come: every 2 min, and sooner while many orders are waiting. Where three orders in one wave are answered so,
  we take you for down, and wait as above.

Each order is delivered at least once, so the same may come again, perhaps together with others than before: same \`transfer_id\`. Pass over a \`transfer_id\` that you
have seen, and answer as you did then. While it is not known whether you have an order, it cannot be cancelled.

### Reporting back

Report progress by \`fulfilment/advance\` of the main API: \`picking\`, \`packed\`, \`shipped\`, \`delivered\`. You may do so before you have answered. A
client of the main API reports on orders of its own account only: use the one of the order's \`account_no\`.

### Signature

Requests are signed as [Standard Webhooks](https://www.standardwebhooks.com) says; the logistics webhook below shows how to verify them. The secret comes from the operator. One that begins
with \`whsec_\` is base64 after that; of any other one the bytes themselves are the key. While it is being rotated there are two signatures with a space between
them, and one that matches is enough.
`.trim();
