import type { TestAnswer, TestApp } from '../../support/app.ts';

/** One mistake of a partner's developer. */
export interface Mistake {
  /** Markdown, in English and Chinese. */
  mistake: [string, string];
  /** What the partner sees. */
  make(app: TestApp): Promise<Seen>;
  /** The words in it that name the mistake. */
  names: RegExp;
  /** Markdown: what to do. */
  fix: [string, string];
}

/** The response, and what the documented next step adds: the diagnosis of a signature. */
export interface Seen {
  status: number | null;
  /** Of the response, of its errors or of its warnings. */
  code: string;
  texts: string[];
}

export const warehousePath = '/warehouse/v1';
export const product = { sku_id: 'MISTAKE-1', sku_name: 'Oolong tea', storage_type: 1 };

/** Everything that a response says about what was wrong. */
export function seen({ status, json }: TestAnswer): Seen {
  const list = json?.data?.errors ?? json?.retval?.errors ?? json?.errors ?? [];
  const warnings = json?.data?.warnings ?? json?.retval?.warnings ?? [];
  const results: { status: string; code?: string }[] = json?.data?.results ?? json?.retval?.results ?? [];
  const named = [...list, ...warnings, ...results.filter(({ status: state }) => state !== 'cancelled')];
  const own = json?.message ?? json?.msg ?? '';
  const texts = named.map(({ path, message, status: state }) => [path, message ?? state].filter(Boolean).join(' '));
  return {
    status,
    code: [json?.code, ...named.map(({ code }) => code)].filter(Boolean).join(', '),
    texts: texts.length > 0 ? [...new Set(texts)] : [own],
  };
}

export const warehouse = (path: string, body: unknown) => async (app: TestApp) =>
  seen(await app.callWarehouse(path, body));
export const main = (path: string, body: unknown) => async (app: TestApp) => seen(await app.callMain(path, body));
export const logistics = (path: string, body: unknown) => async (app: TestApp) =>
  seen(await app.callLogistics(path, body));

interface Sent {
  headers?: Record<string, string>;
  body?: string;
  method?: 'GET' | 'POST';
  url?: string;
}

export async function send(
  app: TestApp,
  { headers = {}, body = '', method = 'POST', url = '/' }: Sent,
): Promise<TestAnswer> {
  const answer = await app.http.inject({ method, url, headers, ...(method === 'GET' ? {} : { payload: body }) });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: JSON.parse(answer.payload) };
}
