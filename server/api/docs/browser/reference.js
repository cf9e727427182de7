// The reference page: starts the viewer, and lets its reader try the endpoints out. What is entered stays in the memory of the page; the shared
// secret is not even known to the viewer.

/** Requests go to where the page came from, which behind a proxy may be another address than the one partners use. */
const serviceUrl = new URL('.', window.location.href).href.replace(/\/$/, '');
const dialog = document.querySelector('#credentials');
const form = dialog.querySelector('form');
const groups = [...form.querySelectorAll('fieldset')];
/** Contracts whose credentials were entered, and not refused since. */
const entered = new Set();

const signedPanel = document.querySelector('#signed');

/** Begins the document numbers of the examples: a number is used once over all partners, and others try these examples, too. */
const numberStart = `${String.fromCharCode(...window.crypto.getRandomValues(new Uint8Array(4)).map((byte) => 65 + (byte % 26)))}-`;
const contractOfPath = new Map();
const reference = JSON.parse(
  (await (await fetch('openapi.json')).text()).replaceAll(/\b(?=(?:IN|RT|OUT)-\d)/g, numberStart),
);
for (const [path, methods] of Object.entries(reference.paths)) {
  for (const operation of Object.values(methods)) {
    contractOfPath.set(path, contractOf(operation.security));
    // The viewer would ask for each header by its name, even for the signature; the form asks for what the reader has.
    operation.security = [];
  }
}
reference.components.securitySchemes = {};
reference.info.description += `

New here? The [guides](docs/guides) lead you to a first order. You can try every endpoint below: press **Test Request**, then **Send**, and enter your
credentials when the page asks for them. Requests go to this service and take effect.

A document number can be used only once across all partners. Therefore the numbers in the examples start with \`${numberStart}\`, which changes whenever this
page is loaded. Enter your own \`warehouse_tpw_id\` and try the examples in this order: *Create or update a product*, *Announce goods*, *Create an order*. Each
builds on the previous one.`;

window.Scalar.createApiReference('#reference', {
  content: reference,
  servers: [{ url: serviceUrl }],
  customFetch: send,
  persistAuth: false,
  hiddenClients: true,
  hideClientButton: true,
  documentDownloadType: 'none',
  orderSchemaPropertiesBy: 'preserve',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});

document
  .querySelector('#credentials-open')
  .addEventListener('click', () => void ask(groups.map(({ dataset }) => dataset.contract)));
document.querySelector('#credentials-cancel').addEventListener('click', () => dialog.close('cancel'));
document.querySelector('#signed-close').addEventListener('click', () => signedPanel.hidePopover());
// The viewer keeps the keyboard within its dialog, so the key that closes the dialog closes both.
document.addEventListener('keydown', ({ key }) => key === 'Escape' && signedPanel.hidePopover(), { capture: true });

function contractOf([together = {}]) {
  if ('sign' in together) return 'warehouse';
  if ('accessToken' in together) return 'main';
  return 'apiKey' in together ? 'logistics' : 'open';
}

/** What the reader tries out goes this way. */
async function send(input, init) {
  signedPanel.hidePopover();
  const request = new Request(input, init);
  const path = request.url.slice(serviceUrl.length).split('?', 1)[0];
  const contract = request.url.startsWith(`${serviceUrl}/`) ? (contractOfPath.get(path) ?? 'open') : 'open';
  if (contract === 'open') return await keepToken(path, await fetch(request));

  if (!entered.has(contract)) await ask([contract]);
  if (!entered.has(contract)) throw new Error('Nothing was sent: the credentials are missing.');
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = new Headers(request.headers);
  const credentials = await headersOf(contract, body);
  for (const [name, value] of Object.entries(credentials)) headers.set(name, value);
  if (contract === 'warehouse') await showSigned(credentials, body);
  const answer = await fetch(request.url, { method: request.method, headers, body, signal: request.signal });
  if (answer.status === 401) entered.delete(contract);
  form.querySelector('#refused').hidden = answer.status !== 401;
  return answer;
}

async function headersOf(contract, body) {
  if (contract === 'warehouse') return await signedHeaders(fieldOf('account-no'), fieldOf('shared-secret'), body);
  return { authorization: contract === 'main' ? `Bearer ${fieldOf('access-token')}` : fieldOf('api-key') };
}

/** The signature is over the very bytes that are sent. */
async function signedHeaders(accountNo, secret, body) {
  const text = new TextEncoder();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const message = await new Blob([body, timestamp]).arrayBuffer();
  const key = await window.crypto.subtle.importKey(
    'raw',
    text.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  return { 'account-no': accountNo, timestamp, sign: hex(await window.crypto.subtle.sign('HMAC', key, message)) };
}

function hex(bytes) {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** For whoever compares with code of their own: the viewer lists only the headers that it knows of. */
async function showSigned(headers, body) {
  const sha256 = hex(await window.crypto.subtle.digest('SHA-256', body));
  const lines = { ...headers, body: `${body.length} bytes, SHA-256 ${sha256}` };
  signedPanel.showPopover();
  signedPanel.querySelector('output').textContent = Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Browsers have no cryptography on a page of plain http, but for one of their own machine. */
function canSign() {
  return window.crypto.subtle !== undefined;
}

/** Whoever has tried the token call need not carry its token to the next one. */
async function keepToken(path, answer) {
  if (path === '/api/v1/token/getToken' && answer.ok) {
    const { done, retval } = await answer.clone().json();
    if (!done) return answer;
    form.elements['access-token'].value = retval.access_token;
    entered.add('main');
  }
  return answer;
}

/** Resolves when the form is closed; what is complete then counts as entered. */
function ask(contracts) {
  for (const group of groups) group.hidden = !contracts.includes(group.dataset.contract);
  form.querySelector('#cannot-sign').hidden = canSign();
  if (contracts.length > 1) form.querySelector('#refused').hidden = true;
  dialog.returnValue = 'cancel';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'use' && contracts.forEach(noteEntered)), {
      once: true,
    });
  });
}

function noteEntered(contract) {
  const group = groups.find(({ dataset }) => dataset.contract === contract);
  const complete = [...group.querySelectorAll('input')].every(({ value }) => value.trim() !== '');
  if (complete && (contract !== 'warehouse' || canSign())) entered.add(contract);
  else entered.delete(contract);
}

function fieldOf(name) {
  return form.elements[name].value.trim();
}
