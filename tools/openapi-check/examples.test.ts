import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenApiDocument, Operation } from '../../reference/openapi.ts';
import { signRequest } from '../../sdk/client.ts';
import { alpha, startTestApp } from '../../test/support/app.ts';
import { addressOf } from '../../test/support/clients.ts';
import { throughProxy } from '../../test/support/validating-proxy.ts';

/** Only `npm run check:openapi` runs this file, with Prism in between. */
const app = await startTestApp();
const serviceUrl = await addressOf(app);
const url = await throughProxy(serviceUrl);
const document = (await (await fetch(`${serviceUrl}/openapi.json`)).json()) as OpenApiDocument;

type Headers = Record<string, string>;
const credentials: Record<string, (body: string) => Headers | Promise<Headers>> = {
  accessToken: async () => ({ authorization: `Bearer ${await app.tokenOf()}` }),
  sign: (body) =>
    signRequest({ accountNo: alpha.accountNo, secret: alpha.secret, body: Buffer.from(body) }) as unknown as Headers,
  apiKey: () => ({ authorization: alpha.apiKey }),
};

async function headersFor({ security }: Operation, body: string): Promise<Headers> {
  const [needed = {}] = security as Record<string, string[]>[];
  const scheme = Object.keys(needed).find((name) => name in credentials);
  return { 'content-type': 'application/json', ...(scheme ? await credentials[scheme]!(body) : {}) };
}

function exampleOf({ requestBody }: Operation): unknown {
  const { content } = requestBody as { content: Record<string, { example?: unknown }> };
  return content['application/json']?.example;
}

for (const [path, { post }] of Object.entries(document.paths)) {
  if (!post?.requestBody) continue;
  test(`the example of ${post.operationId} and its response pass the proxy`, async () => {
    const example = JSON.stringify(exampleOf(post)).replaceAll('"TPW-DEMO"', JSON.stringify(alpha.warehouseTpwId));
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: await headersFor(post, example),
      body: example,
    });
    assert.doesNotMatch(await response.text(), /prism\/errors/);
    assert.ok(response.headers.has('trace-id'));
  });
}
