import type { Translations } from '../language/translator.ts';

/** The warehouse connector, callbacks and the endpoints for monitoring. */
export const overviewConnectorTexts: Translations = {
  'For warehouse systems. If the operator has configured the connector `http` for a warehouse, we POST its orders to your URL in waves: every 60 s, unless the operator has set another interval. We send only orders of production accounts. A request has orders of one account, in order of creation; accounts take turns, beginning with the one that has the oldest order.':
    '供倉庫系統使用。若營運方為倉庫設定了 `http` 連接方式，我們會以波次將訂單 POST 到您的網址：每 60 秒一次，營運方可設定其他間隔。只送正式貨主的訂單。一個請求只含一個貨主的訂單，依建立順序排列；各貨主輪流，從最舊的訂單開始。',
  'Accepting orders': '接受訂單',
  'A 2xx response within 15 s means that you have accepted all orders of the request. From then on they are `in_warehouse` and can no longer be cancelled.':
    '在 15 秒內回應 2xx，表示您已接受請求中的所有訂單。這些訂單即成為 `in_warehouse`，無法再取消。',
  'To accept only some, name the rejected ones in the response: `{"results": [{"transfer_id": "...", "accepted": false, "reason": "..."}]}`. A rejected order is kept back with your reason until the operator sends it again (under a new `transfer_id`) or it is cancelled. The other orders of the wave proceed.':
    '若只接受部分訂單，請在回應中列出拒收的訂單：`{"results": [{"transfer_id": "...", "accepted": false, "reason": "..."}]}`。遭拒收的訂單會連同您的原因保留，直到營運方重新拋單（使用新的 `transfer_id`）或取消訂單。同一波次的其他訂單照常進行。',
  '400, 409, 413 and 422 mean that you reject the request as a whole. We split it in halves and send them again until the order that causes the rejection is alone. We reject that order, and record your status and the first 500 characters of your response.':
    '400、409、413 與 422 表示您拒絕整個請求。我們會對半拆開再送，直到只剩造成拒絕的訂單，將它標記為拒收，並記錄您的狀態碼與回應的前 500 個字元。',
  'After any other response, including a redirect, or no response within 15 s, we retry after 5 s, 30 s, 2 min, and then every 5 min, each delay up to 10 % longer. `Retry-After` extends the delay, up to 1 h. We send no newer orders in the meantime, with this exception:':
    '其他回應（包括重新導向），或 15 秒內沒有回應時，我們在 5 秒、30 秒、2 分鐘後重試，之後每 5 分鐘一次，每次間隔最多再延長 10 %。`Retry-After` 可延長間隔，最多 1 小時。這段期間不會送較新的訂單，但有以下例外：',
  'After three consecutive failures, we immediately split a request that fails with 5xx in halves. If an order fails with 5xx even when sent alone, we skip it: the other orders and newer ones proceed, and we retry the skipped order alone at the start of each later wave: every 2 min, or sooner while many orders are waiting. If three orders in one wave fail like this, we consider your system down and wait as described above.':
    '連續三次失敗後，若請求以 5xx 失敗，我們會立即對半拆開。若一筆訂單單獨送出仍以 5xx 失敗，我們會先跳過：其他訂單與較新的訂單照常進行，被跳過的訂單則在之後每個波次開始時單獨重試：每 2 分鐘一次，等待的訂單很多時會更快。若同一波次有三筆訂單都如此失敗，我們視為您的系統停擺，依上述方式等待。',
  'Each order is delivered at least once. The same order may therefore arrive again with the same `transfer_id`, possibly together with other orders than before. Ignore a `transfer_id` that you have already processed, and respond as you did the first time. An order cannot be cancelled while we do not know whether you have accepted it.':
    '每筆訂單至少送達一次，因此同一訂單可能以相同的 `transfer_id` 再次送達，同一請求中的其他訂單也可能不同。請忽略已處理過的 `transfer_id`，並給予與第一次相同的回應。在我們不知道您是否已接受訂單的期間，訂單無法取消。',
  'Changes of accepted orders': '已接受訂單的變更',
  'If the operator has configured a `changes_url`, we POST to it what accounts want to change in orders that you have accepted and not reported as `picking`: `order.updated` with the new values of some fields, `order.held` (do not pick it) and `order.released`. A 2xx response within 15 s means that you have made the changes, except those that you name: `{"results": [{"change_id": "...", "accepted": false, "reason": "..."}]}`. 400, 409, 413 and 422 refuse the request as a whole, and we split it as above. After any other response, or none, the next wave asks again with the same `change_id`. Without a `changes_url` we never send changes, and accounts cannot change an order that you have.':
    '若營運方設定了 `changes_url`，貨主要變更您已接受、且尚未回報 `picking` 的訂單時，我們會 POST 到該網址：`order.updated`（部分欄位的新值）、`order.held`（請勿揀貨）與 `order.released`（解除暫緩）。在 15 秒內回應 2xx，表示您已完成這些變更，但您列出的除外：`{"results": [{"change_id": "...", "accepted": false, "reason": "..."}]}`。400、409、413 與 422 表示拒絕整個請求，我們會以上述方式拆開。其他回應或沒有回應時，下一個波次會以相同的 `change_id` 再次詢問。沒有 `changes_url` 時，我們不會送出變更，貨主也無法變更已在您手上的訂單。',
  'Reporting progress': '回報進度',
  'Report progress with `fulfilment/advance` of the main API: `picking`, `packed`, `shipped`, `delivered`. You may report before you have responded to the transfer. A client of the main API can only report on orders of its own account: use the client that belongs to the `account_no` of the order.':
    '請以主 API 的 `fulfilment/advance` 回報進度：`picking`、`packed`、`shipped`、`delivered`。您可以在回應拋單之前就回報。主 API 的用戶端只能回報自己貨主的訂單：請使用訂單的 `account_no` 所屬的用戶端。',
  Signature: '簽章',
  'Requests are signed according to [Standard Webhooks](https://www.standardwebhooks.com); the logistics webhook below shows how to verify them. The operator gives you the secret. If it starts with `whsec_`, the rest is the key in base64; otherwise the bytes of the secret are the key. While the secret is being rotated, requests carry two signatures separated by a space; accept the request if either matches.':
    '請求依 [Standard Webhooks](https://www.standardwebhooks.com) 簽署；驗證方式請見下方的物流 Webhook。密鑰由營運方提供。若以 `whsec_` 開頭，其餘部分為 base64 編碼的金鑰；否則密鑰的位元組就是金鑰。密鑰輪替期間，請求帶有兩個以空格分隔的簽章，任一個相符即可接受。',
  'Public keys of access tokens': '存取權杖的公鑰',
  'A JSON Web Key Set (RFC 7517). A new key is published here before it signs its first token.':
    'JSON Web Key Set（RFC 7517）。新的金鑰會先在此公布，之後才開始簽署權杖。',
  'All keys that are valid now or will be soon.': '目前有效與即將生效的所有金鑰。',
  'How long the keys may be cached, in seconds. A new key is published for twice that time before it signs tokens.':
    '金鑰可快取的秒數。新的金鑰會公布兩倍的時間之後才開始簽署權杖。',
  'One key': '一把金鑰',
  'Liveness probe': '存活探測',
  'Succeeds if the process responds. It does not check the database or anything else.':
    '只要行程有回應就成功。不檢查資料庫或其他項目。',
  'The process is alive.': '行程運作中。',
  Live: '運作中',
  'Readiness probe': '就緒探測',
  'Fails while the service is stopping, or while its database cannot be used: it is unavailable, commits are not confirmed, its disk is full, or migrations are missing.':
    '服務正在停止，或資料庫無法使用時失敗：資料庫無法連線、交易無法確認、磁碟已滿，或尚未完成遷移。',
  'The service accepts requests.': '服務可接受請求。',
  Ready: '就緒',
  'Ready, with a warning': '就緒，但有警告',
  'The service does not accept requests.': '服務不接受請求。',
  Stopping: '正在停止',
  Metrics: '監控指標',
  'All metrics in the Prometheus text format. The operator may serve them on another port instead.':
    'Prometheus 文字格式的所有指標。營運方可能改由另一個連接埠提供。',
  'All time series.': '所有時間序列。',
  'One gauge': '一個量測值',
  'The operator has set a token for the metrics, and the request does not have it.':
    '營運方為監控指標設定了權杖，而請求沒有帶。',
  'Requests the token.': '要求提供權杖。',
  'No token': '沒有權杖',
  'This document': '本文件',
  'The API reference at `/docs` in machine-readable form.': '`/docs` 的 API 參考文件，供程式讀取的格式。',
  'An OpenAPI 3.1 document with the URLs of this service.': 'OpenAPI 3.1 文件，包含此服務的網址。',
  'This document in Traditional Chinese': '本文件的繁體中文版',
  'The same document as `/openapi.json`, with descriptions in Traditional Chinese.':
    '與 `/openapi.json` 相同的文件，說明為繁體中文。',
  'The beginning of the document': '文件的開頭',
  'Orders for a warehouse': '拋給倉庫的訂單',
  'We POST this to the `url` of a warehouse whose connector is `http`. Verify the signature, and ignore a `transfer_id` that you have already processed: it may arrive more than once. Your response may name orders that you reject. If it has no body, or a body in any other form, you accept all orders.':
    '我們會 POST 到連接方式為 `http` 之倉庫的 `url`。請驗證簽章，並忽略已處理過的 `transfer_id`：同一個可能送達多次。您的回應可以列出拒收的訂單。若回應沒有內容，或內容為其他格式，表示接受所有訂單。',
  'The `batch_id`.': '`batch_id`。',
  'Time of the signature in Unix seconds. Reject a timestamp that is more than 5 minutes off.':
    '簽章的時間，Unix 秒數。誤差超過 5 分鐘請拒絕。',
  '`v1,` and the signature in base64. While the secret is being rotated, there are two signatures separated by a space.':
    '`v1,` 加上 base64 的簽章。密鑰輪替期間有兩個以空格分隔的簽章。',
  'Two orders from two APIs': '來自兩個 API 的兩筆訂單',
  'You reject the request as a whole. We split it in halves and send them again; an order that you reject when it is sent alone is marked as rejected, with your reason.':
    '您拒絕整個請求。我們會對半拆開再送；單獨送出時仍被拒絕的訂單，會連同您的原因標記為拒收。',
  'Same as 400.': '與 400 相同。',
  'You have accepted the orders, except those that the body names as rejected. The response must arrive within 15 s.':
    '您已接受這些訂單，回應內容中列為拒收的除外。回應必須在 15 秒內送達。',
  'All orders but one are accepted': '接受其中一筆以外的所有訂單',
  'Changes of orders that a warehouse has': '倉庫手上訂單的變更',
  'We POST this to the `changes_url` of a warehouse whose connector is `http`, if it has one. Verify the signature. A `change_id` may arrive more than once: respond as you did the first time. Your response may name changes for which it is too late. If it has no body, or a body in any other form, you have made all changes.':
    '若連接方式為 `http` 的倉庫有 `changes_url`，我們會 POST 到該網址。請驗證簽章。同一個 `change_id` 可能送達多次：請給予與第一次相同的回應。您的回應可以列出已來不及的變更。若回應沒有內容，或內容為其他格式，表示所有變更都已完成。',
  'A hold, an update and a release of one order': '一筆訂單的暫緩、變更與解除',
  'You refuse the request as a whole. We split it in halves and send them again; a change that you refuse when it is sent alone is refused, with your reason.':
    '您拒絕整個請求。我們會對半拆開再送；單獨送出時仍被拒絕的變更，會連同您的原因視為拒絕。',
  'You have made the changes, except those that the body names as refused. The response must arrive within 15 s.':
    '您已完成這些變更，回應內容中列為拒絕的除外。回應必須在 15 秒內送達。',
  'It is too late for one change': '其中一項變更已來不及',
  Callback: '回呼通知',
  'We POST this to the `callback_url` of a document, or to that of its account or tenant, when an order is shipped, arrives, is delivered, is not delivered or is cancelled, or a form is received, stopped or cancelled. Each event has its own schema; `event` says which. Verify the signature, and ignore an `event_id` that you have already processed: it may arrive more than once. The body of your response has no effect; the list of callbacks shows its first 16 KiB.':
    '訂單出貨、到店、送達、未送達或取消，或單據收貨、終止或取消時，我們會 POST 到該單據的 `callback_url`，或其貨主或租戶的網址。每種事件各有自己的結構，由 `event` 指明。請驗證簽章，並忽略已處理過的 `event_id`：同一個可能送達多次。您的回應內容沒有作用；回呼清單會顯示其前 16 KiB。',
  'The `event_id`, which is the same in every attempt.': '`event_id`，每次嘗試都相同。',
  'Some units of an order were shipped': '訂單部分出貨',
  'An order was shipped': '訂單已出貨',
  'An order arrived at the pickup store': '訂單已到達取貨門市',
  'An order was delivered': '訂單已送達',
  'An order was not collected and comes back': '訂單逾期未取，正在退回',
  'An order was cancelled': '訂單已取消',
  'An inbound form was received': '進貨單已收貨',
  'Receiving was stopped': '已終止收貨',
  'An inbound form was cancelled': '進貨單已取消',
  'A return was received: one unit missing and one unit bad': '退貨單已收貨：短少一件，一件為不良品',
  'Receiving a return was stopped': '退貨單已終止收貨',
  'A return was cancelled': '退貨單已取消',
  'The receiver no longer exists. We do not retry, and the callback is `failed`.':
    '接收端已不存在。我們不會重試，回呼成為 `failed`。',
  'The callback was delivered. The response must arrive within 15 s: respond immediately and process the event afterwards.':
    '回呼已送達。回應必須在 15 秒內送達：請立即回應，之後再處理事件。',
  'After any other response, including a redirect, or no response within 15 s, we send the same orders again later, before any others. We respect `Retry-After` (up to 1 h) if it is longer than our own delay. We skip an order that fails every time.':
    '其他回應（包括重新導向），或 15 秒內沒有回應時，我們稍後會先重送相同的訂單，再送其他訂單。`Retry-After`（最多 1 小時）比我們的間隔長時會遵守。每次都失敗的訂單會被跳過。',
  'After any other response, including a redirect, or no response within 15 s, the next wave sends the same changes again.':
    '其他回應（包括重新導向），或 15 秒內沒有回應時，下一個波次會重送相同的變更。',
  'After any other response, including a redirect, or no response within 15 s, we retry later. We respect `Retry-After` (up to 1 h) if it is longer than our own delay.':
    '其他回應（包括重新導向），或 15 秒內沒有回應時，我們稍後會重試。`Retry-After`（最多 1 小時）比我們的間隔長時會遵守。',
};
