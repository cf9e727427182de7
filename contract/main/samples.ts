import type { CodeSample } from '../reference.ts';

/** A whole call with its token, in several languages, each without anything that would have to be installed first. */
export function bearerCallSamples(url: string, body: unknown): CodeSample[] {
  const json = JSON.stringify(body, null, 2);
  const tokenUrl = url.replace(/\/api\/v2\/.*$/, '/api/v1/token/getToken');
  if (tokenUrl === url) return [{ language: 'Shell', label: 'curl', source: tokenSample(url) }];
  return [
    { language: 'Shell', label: 'curl', source: shellSample(tokenUrl, url, json) },
    { language: 'JavaScript', label: 'Node.js', source: nodeSample(tokenUrl, url, json) },
    { language: 'Python', label: 'Python', source: pythonSample(tokenUrl, url, json) },
  ];
}

const credentials = '{"ClientId":"<CLIENT_ID>","CheckValue":"<CHECK_VALUE>"}';

const tokenSample = (url: string) => `curl '${url}' -H 'content-type: application/json' -d '${credentials}'`;

const shellSample = (tokenUrl: string, url: string, json: string) => `token=$(${tokenSample(tokenUrl)} -s |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

curl '${url}' -H 'content-type: application/json' \\
  -H "authorization: Bearer $token" -d '${json.replaceAll("'", "'\\''")}'`;

const nodeSample = (tokenUrl: string, url: string, json: string) => `const headers = { 'content-type': 'application/json' };
const { retval } = await fetch('${tokenUrl}', {
  method: 'POST',
  headers,
  body: '${credentials}',
}).then((answer) => answer.json());

const answer = await fetch('${url}', {
  method: 'POST',
  headers: { ...headers, authorization: \`Bearer \${retval.access_token}\` },
  body: JSON.stringify(${json}),
});
console.log(answer.status, await answer.text());`;

const pythonSample = (tokenUrl: string, url: string, json: string) => `import json, urllib.error, urllib.request

def post(url, body, **headers):
    request = urllib.request.Request(url, data=body.encode(), headers={"content-type": "application/json", **headers}, method="POST")
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as refused:
        answer = refused
    return answer.status, answer.read().decode()

_, answer = post("${tokenUrl}", '${credentials}')
token = json.loads(answer)["retval"]["access_token"]
print(*post("${url}", r'''${json}''', authorization=f"Bearer {token}"))`;
