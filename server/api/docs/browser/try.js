// The reference page: starts the viewer, and lets readers try the endpoints. Credentials stay in the memory of the page;
// the viewer does not even know the shared secret.

/** Requests go to where the page came from, which behind a proxy may be another address than the one partners use. */
const { document: documentUrl, guides: guidesUrl, words: wordsText } = document.querySelector('#reference').dataset;
const words = JSON.parse(wordsText);
const serviceUrl = new URL('.', new URL(documentUrl, window.location.href)).href.replace(/\/$/, '');
const dialog = document.querySelector('#credentials');
const form = dialog.querySelector('form');
const groups = [...form.querySelectorAll('fieldset')];
/** Contracts whose credentials were entered, and not rejected since. */
const entered = new Set();

const signedPanel = document.querySelector('#signed');

/** Begins the document numbers of the examples: an account can use a number once, and colleagues try them, too. */
const numberStart = `${String.fromCharCode(...window.crypto.getRandomValues(new Uint8Array(4)).map((byte) => 65 + (byte % 26)))}-`;
const contractOfPath = new Map();
const reference = JSON.parse(
  (await (await fetch(documentUrl)).text()).replaceAll(/\b(?=(?:IN|RT|OUT)-\d)/g, numberStart),
);
for (const [path, methods] of Object.entries(reference.paths)) {
  for (const operation of Object.values(methods)) {
    contractOfPath.set(path, contractOf(operation.security));
    // The viewer would ask for each header by its name, even for the signature; the form asks for what the reader has.
    operation.security = [];
  }
}
reference.components.securitySchemes = {};
reference.info.description += `\n\n${filledIn(words.introduction, { guides: guidesUrl, start: numberStart })}`;

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
  localization: { locale: 'en', translations: words.viewer },
  // The bar has the switch for the colours of all pages.
  hideDarkModeToggle: true,
  darkMode: isDark(),
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

/** The colours that the switch of the bar has chosen, or else those of the system. */
function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Puts values into the places of a text: `{count} bytes`. */
function filledIn(text, values) {
  return text.replaceAll(/\{(\w+)\}/g, (_place, name) => values[name]);
}

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
  if (!entered.has(contract)) throw new Error(words.nothingSent);
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

/** Readers compare it with their own code. The viewer lists only the headers that it knows. */
async function showSigned(headers, body) {
  const sha256 = hex(await window.crypto.subtle.digest('SHA-256', body));
  const lines = { ...headers, body: filledIn(words.bytes, { count: body.length, sha256 }) };
  signedPanel.showPopover();
  signedPanel.querySelector('output').textContent = Object.entries(lines)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Browsers offer cryptography on pages that came by https, and on those of their own machine. */
function canSign() {
  return window.crypto.subtle !== undefined;
}

/** The token of a tried token call is used for the requests that follow. */
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
