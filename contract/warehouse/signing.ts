import type { CodeSample, CredentialReference } from '../reference.ts';

export const credentials: Record<string, CredentialReference> = {
  accountNo: {
    header: 'account-no',
    description: 'Your account, from the operator. The name has a hyphen; `account_no` is not accepted, neither as header nor in the body.',
  },
  timestamp: {
    header: 'timestamp',
    description: 'Unix time in seconds, 10 digits. It may differ from the time of the server by at most 300 seconds.',
  },
  sign: {
    header: 'sign',
    description:
      'HMAC-SHA256 as 64 lowercase hex digits. The message is the exact bytes of the body as sent, directly followed by the timestamp as it ' +
      'stands in its header, with nothing between them; the key is the shared secret from the operator.',
  },
};

/** A whole signed call in several languages, each without anything that would have to be installed first. */
export function signedCallSamples(url: string, body: unknown): CodeSample[] {
  const json = JSON.stringify(body, null, 2);
  return [
    { language: 'Shell', label: 'curl', source: shellSample(url, json) },
    { language: 'JavaScript', label: 'Node.js', source: nodeSample(url, json) },
    { language: 'Python', label: 'Python', source: pythonSample(url, json) },
  ];
}

const shellSample = (url: string, json: string) => `secret='<SHARED_SECRET>'
body='${json.replaceAll("'", "'\\''")}'
timestamp=$(date +%s)
sign=$(printf '%s%s' "$body" "$timestamp" | openssl dgst -sha256 -hmac "$secret" | sed 's/.* //')

curl '${url}' -H 'content-type: application/json' \\
  -H 'account-no: <ACCOUNT_NO>' -H "timestamp: $timestamp" -H "sign: $sign" --data-binary "$body"`;

const nodeSample = (url: string, json: string) => `import { createHmac } from 'node:crypto';

const secret = '<SHARED_SECRET>';
const body = JSON.stringify(${json});
const timestamp = String(Math.floor(Date.now() / 1000));
const sign = createHmac('sha256', secret).update(body).update(timestamp).digest('hex');

const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'account-no': '<ACCOUNT_NO>', timestamp, sign },
  body,
});
console.log(answer.status, await answer.text());`;

const pythonSample = (url: string, json: string) => `import hashlib, hmac, time, urllib.error, urllib.request

secret = b"<SHARED_SECRET>"
body = r'''${json}'''.encode()
timestamp = str(int(time.time()))
sign = hmac.new(secret, body + timestamp.encode(), hashlib.sha256).hexdigest()

headers = {"content-type": "application/json", "account-no": "<ACCOUNT_NO>", "timestamp": timestamp, "sign": sign}
request = urllib.request.Request("${url}", data=body, headers=headers, method="POST")
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as refused:
    answer = refused
print(answer.status, answer.read().decode())`;
