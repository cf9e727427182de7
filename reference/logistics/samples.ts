import type { CodeSample } from '../reference.ts';
import { jsonIn, quotableUrl } from '../sample-quoting.ts';

/** A complete request with its key in several languages; none of them needs a package to be installed. */
export function keyCallSamples(url: string, body: unknown): CodeSample[] {
  const call = { url: quotableUrl(url), json: JSON.stringify(body, null, 2) };
  return [
    { language: 'Shell', label: 'curl', source: shellSample(call) },
    { language: 'TypeScript', label: 'TypeScript', source: typeScriptSample(call) },
    { language: 'Python', label: 'Python', source: pythonSample(call) },
  ];
}

interface SampleCall {
  url: string;
  json: string;
}

const shellSample = ({ url, json }: SampleCall) => `curl '${url}' -sS -w '\\n%{http_code}\\n' \\
  -H "authorization: $LADING_API_KEY" \\
  -H 'content-type: application/json' \\
  --data-binary '${jsonIn.shell(json)}'`;

const typeScriptSample = ({ url, json }: SampleCall) => `import { env } from 'node:process';

const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: env.LADING_API_KEY ?? '' },
  body: JSON.stringify(${json}),
});
console.log(answer.status, await answer.text());`;

const pythonSample = ({ url, json }: SampleCall) => `import os, urllib.error, urllib.request

body = r'''${jsonIn.python(json)}'''.encode()
headers = {"content-type": "application/json", "authorization": os.environ["LADING_API_KEY"]}
request = urllib.request.Request("${url}", data=body, headers=headers, method="POST")
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as refused:
    answer = refused
print(answer.status, answer.read().decode())`;
