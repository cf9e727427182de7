import type { CodeSample } from '../reference.ts';

/** A whole call with its key, in several languages, each without anything that would have to be installed first. */
export function keyCallSamples(url: string, body: unknown): CodeSample[] {
  const json = JSON.stringify(body, null, 2);
  return [
    { language: 'Shell', label: 'curl', source: shellSample(url, json) },
    { language: 'JavaScript', label: 'Node.js', source: nodeSample(url, json) },
    { language: 'Python', label: 'Python', source: pythonSample(url, json) },
  ];
}

const shellSample = (url: string, json: string) => `curl '${url}' \\
  -H 'authorization: <API_KEY>' \\
  -H 'content-type: application/json' \\
  -d '${json.replaceAll("'", "'\\''")}'`;

const nodeSample = (url: string, json: string) => `const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: '<API_KEY>' },
  body: JSON.stringify(${json}),
});
console.log(answer.status, await answer.text());`;

const pythonSample = (url: string, json: string) => `import urllib.error, urllib.request

body = r'''${json}'''.encode()
headers = {"content-type": "application/json", "authorization": "<API_KEY>"}
request = urllib.request.Request("${url}", data=body, headers=headers, method="POST")
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as refused:
    answer = refused
print(answer.status, answer.read().decode())`;
