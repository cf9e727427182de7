import { bearerCallSamples } from '../../../reference/main/samples.ts';
import { signedCallSamples } from '../../../reference/warehouse/signing.ts';
import { tourInboxesOf } from '../../domain/test-callbacks/tour-inbox.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import { type DocsLanguage, pathIn, relativeUrl } from './language.ts';
import { framePage } from './page-frame.ts';
import { renderMarkdown } from './render-markdown.ts';
import { type StepName, stepTexts, type TourWords, tourWords } from './tour-words.ts';

/** The page replaces these with the numbers of this visit and with the tenant of the reader. */
const number = 'TOUR-0000';
const tenant = 'TPW-DEMO';

export interface TourAddresses {
  serverUrl: string;
  warehouseBasePath: string;
}

interface Step {
  name: StepName;
  path: string;
  body: object;
  /** The main API sends the test callback. */
  isMain?: boolean;
}

function stepsOf({ serverUrl, warehouseBasePath: base }: TourAddresses): Step[] {
  const sku = `${number}-TEA`;
  const details = [{ sku_id: sku, qty: 2 }];
  const order = {
    outbound_short_id: `${number}-OUT`,
    warehouse_tpw_id: tenant,
    consignee_country: 'TW',
    logistics_type: 'home',
    express_type: 'tcat',
    details,
  };
  const goods = (qty: number) => [{ sku_id: sku, expires: [{ expire_date: '2099-12-31', qty }] }];
  const inbound = { inbound_short_id: `${number}-IN`, warehouse_tpw_id: tenant, details: goods(10) };
  const returned = { inbound_short_id: `${number}-RT`, outbound_short_id: `${number}-OUT`, warehouse_tpw_id: tenant };
  const inbox = `${tourInboxesOf(serverUrl)}${'0'.repeat(32)}`;
  return [
    { name: 'sync', path: `${base}/product/sync`, body: { sku_id: sku, sku_name: 'Oolong tea', storage_type: 1 } },
    { name: 'inbound', path: `${base}/inbound/create`, body: inbound },
    { name: 'stock', path: `${base}/stock/query`, body: { sku_ids: [sku] } },
    { name: 'order', path: `${base}/outbound/create`, body: order },
    { name: 'repeat', path: `${base}/outbound/create`, body: order },
    { name: 'return', path: `${base}/inbound/return`, body: { ...returned, details: goods(1) } },
    { name: 'cancelOrder', path: `${base}/outbound/cancel`, body: { outbound_short_ids: [`${number}-OUT`] } },
    { name: 'cancelInbound', path: `${base}/inbound/cancel`, body: { inbound_short_ids: [`${number}-IN`] } },
    {
      name: 'callback',
      path: '/api/v2/default/callbacks/test',
      body: { event: 'order.shipped', document_no: `${number}-OUT`, callback_url: inbox },
      isMain: true,
    },
  ];
}

const fences: Record<string, string> = {
  curl: 'sh',
  TypeScript: 'ts',
  Python: 'python',
  PHP: 'php',
  Java: 'java',
  'C#': 'csharp',
  Go: 'go',
};

/** The page where readers make the recommended calls themselves. Its script sends them. */
export function tourPage(language: DocsLanguage, addresses: TourAddresses): string {
  const words = tourWords[language];
  const page = '/tour';
  const here = pathIn(language, page);
  const to = (target: string) => relativeUrl(here, pathIn(language, target));
  const steps = stepsOf(addresses);
  const data = {
    words,
    number,
    tenant,
    inboxes: tourInboxesOf(addresses.serverUrl),
    service: relativeUrl(here, '/'),
    diagnose: `${addresses.warehouseBasePath}/diagnose`,
  };
  return framePage({
    language,
    page,
    title: `${words.title} · Lading`,
    description: words.introduction,
    script: 'tour.js',
    content: `<main id="main" class="tour" data-tour="${escapeHtml(JSON.stringify(data))}">
      <h1>${words.title}</h1>
      <p>${words.introduction}</p>
      <p>${words.effect} <code>${number}</code>${words.fullStop}</p>
      ${credentialsForm(words)}
      <p class="actions"><button type="button" id="run-all">${words.runAll}</button></p>
      <ol class="steps">${steps.map((step, index) => stepHtml(step, index, { language, addresses })).join('')}</ol>
      <section class="end" id="end" hidden><p role="status">${words.finished}</p>
        <p><a href="${to('/guides/callbacks')}">${words.next}</a></p></section>
    </main>`,
  });
}

function credentialsForm(words: TourWords): string {
  const field = (name: keyof TourWords, isSecret = false) =>
    `<label>${words[name]} <input name="${name}" autocomplete="off" spellcheck="false"${isSecret ? ' type="password"' : ''}></label>`;
  return `<form id="tour-credentials" autocomplete="off">
        <h2>${words.credentials}</h2>
        <p>${words.memory}</p>
        <p class="warning" id="cannot-sign" hidden>${words.cannotSign}</p>
        <label class="wide">${words.paste} <textarea name="file" rows="2" spellcheck="false" autocomplete="off"></textarea></label>
        <div class="fields">
        ${field('accountNo')}${field('secret', true)}${field('tenant')}
        ${field('clientId')}${field('checkValue', true)}${field('callbackSecret', true)}
        </div>
      </form>`;
}

function stepHtml(
  { name, path, body, isMain = false }: Step,
  index: number,
  { language, addresses }: { language: DocsLanguage; addresses: TourAddresses },
): string {
  const words = tourWords[language];
  const [title, text] = stepTexts[language][name];
  const samples = (isMain ? bearerCallSamples : signedCallSamples)(addresses.serverUrl + path, body);
  const markdown = samples.map(({ label, source }) => `### ${label}\n\n\`\`\`${fences[label]}\n${source}\n\`\`\``);
  const render = (given: string) =>
    renderMarkdown(given, new Set(), { here: pathIn(language, '/tour'), language }).html;
  const attributes = `data-step="${name}" data-path="${path}" data-body="${escapeHtml(JSON.stringify(body))}"`;
  return `<li class="step" id="step-${name}" ${attributes}>
        <h2>${index + 1}. ${title}</h2>
        ${render(text)}
        <p><code>POST ${escapeHtml(path)}</code></p>
        <p class="actions"><button type="button">${words.run}</button> <span class="outcome" role="status"></span></p>
        <div class="shown"></div>
        <details class="program"><summary>${words.code}</summary>${render(markdown.join('\n\n'))}</details>
      </li>`;
}
