import type { CodeSample } from '../reference.ts';
import { jsonIn, quotableUrl } from '../sample-quoting.ts';

/** A complete request with its token in several languages; none of them needs a package to be installed. */
export function bearerCallSamples(url: string, body: unknown): CodeSample[] {
  const tokenUrl = url.replace(/\/api\/v2\/.*$/, '/api/v1/token/getToken');
  const call = { tokenUrl: quotableUrl(tokenUrl), url: quotableUrl(url), json: JSON.stringify(body, null, 2) };
  if (tokenUrl === url) return [{ language: 'Shell', label: 'curl', source: tokenSample(call) }];
  return [
    { language: 'Shell', label: 'curl', source: shellSample(call) },
    { language: 'TypeScript', label: 'TypeScript', source: typeScriptSample(call) },
    { language: 'Python', label: 'Python', source: pythonSample(call) },
  ];
}

interface SampleCall {
  tokenUrl: string;
  url: string;
  json: string;
}

const tokenSample = ({ tokenUrl }: SampleCall) => `curl '${tokenUrl}' -sS -H 'content-type: application/json' \\
  -d "{\\"ClientId\\":\\"$LADING_CLIENT_ID\\",\\"CheckValue\\":\\"$LADING_CHECK_VALUE\\"}"`;

const shellSample = (call: SampleCall) => `token=$(${tokenSample(call)} |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

curl '${call.url}' -sS -w '\\n%{http_code}\\n' -H 'content-type: application/json' \\
  -H "authorization: Bearer $token" --data-binary '${jsonIn.shell(call.json)}'`;

const typeScriptSample = ({ tokenUrl, url, json }: SampleCall) => `import { env } from 'node:process';

const headers = { 'content-type': 'application/json' };
const issued = await fetch('${tokenUrl}', {
  method: 'POST',
  headers,
  body: JSON.stringify({ ClientId: env.LADING_CLIENT_ID, CheckValue: env.LADING_CHECK_VALUE }),
});
const { retval } = await issued.json();

const answer = await fetch('${url}', {
  method: 'POST',
  headers: { ...headers, authorization: \`Bearer \${retval.access_token}\` },
  body: JSON.stringify(${json}),
});
console.log(answer.status, await answer.text());`;

const pythonSample = ({ tokenUrl, url, json }: SampleCall) => `import json, os, urllib.error, urllib.request

def post(url, body, **headers):
    request = urllib.request.Request(url, data=body.encode(), headers={"content-type": "application/json", **headers}, method="POST")
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as refused:
        answer = refused
    return answer.status, answer.read().decode()

credentials = {"ClientId": os.environ["LADING_CLIENT_ID"], "CheckValue": os.environ["LADING_CHECK_VALUE"]}
_, answer = post("${tokenUrl}", json.dumps(credentials))
token = json.loads(answer)["retval"]["access_token"]
print(*post("${url}", r'''${jsonIn.python(json)}''', authorization=f"Bearer {token}"))`;
