// The reference page: starts the viewer, and lets its reader try the endpoints out. What is entered stays in the memory of the page; the shared
// secret is not even known to the viewer.

/** Requests go to where the page came from, which behind a proxy may be another address than the one partners use. */
const serviceUrl = new URL('.', window.location.href).href.replace(/\/$/, '');
const dialog = document.querySelector('#credentials');
const form = dialog.querySelector('form');
const groups = [...form.querySelectorAll('fieldset')];
/** Contracts whose credentials were entered, and not refused since. */
const entered = new Set();

const contractOfPath = new Map();
const reference = await (await fetch('openapi.json')).json();
for (const [path, methods] of Object.entries(reference.paths)) {
  for (const operation of Object.values(methods)) {
    contractOfPath.set(path, contractOf(operation.security));
    // The viewer would ask for each header by its name, even for the signature; the form asks for what the reader has.
    operation.security = [];
  }
}
reference.components.securitySchemes = {};
reference.info.description += `

New here? The [guides](docs/guides) lead to a first order. Every endpoint below can be tried: press **Test Request**, then **Send**, and enter your
credentials when the page asks for them. Requests go to this very service, and what they do is done.`;

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

document.querySelector('#credentials-open').addEventListener('click', () => void ask(groups.map(({ dataset }) => dataset.contract)));
document.querySelector('#credentials-cancel').addEventListener('click', () => dialog.close('cancel'));

function contractOf([together = {}]) {
  if ('sign' in together) return 'warehouse';
  if ('accessToken' in together) return 'main';
  return 'apiKey' in together ? 'logistics' : 'open';
}

/** What the reader tries out goes this way. */
async function send(input, init) {
  const request = new Request(input, init);
  const path = request.url.slice(serviceUrl.length).split('?', 1)[0];
  const contract = request.url.startsWith(`${serviceUrl}/`) ? (contractOfPath.get(path) ?? 'open') : 'open';
  if (contract === 'open') return await keepToken(path, await fetch(request));

  if (!entered.has(contract)) await ask([contract]);
  if (!entered.has(contract)) throw new Error('Nothing was sent: the credentials are missing.');
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(await headersOf(contract, body))) headers.set(name, value);
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
  const key = await window.crypto.subtle.importKey('raw', text.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signature = new Uint8Array(await window.crypto.subtle.sign('HMAC', key, message));
  return { 'account-no': accountNo, timestamp, sign: Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('') };
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
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'use' && contracts.forEach(noteEntered)), { once: true });
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
