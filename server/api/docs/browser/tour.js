// The guided tour: sends the recommended calls with the credentials of the reader, and receives a callback. Secrets are
// only in the fields of the form; nothing is stored.
const main = document.querySelector('.tour');
const { words, number, tenant, inboxes, service, diagnose } = JSON.parse(main.dataset.tour);
const form = document.querySelector('#tour-credentials');
const steps = [...document.querySelectorAll('.step')];
const text = new TextEncoder();
const serviceUrl = new URL(service, window.location.href).href.replace(/\/$/, '');

/** Numbers are unique for good, so each visit has its own. */
const ownNumber = `TOUR-${randomHex(4).toUpperCase()}`;
const inbox = inboxes + randomHex(16);
const waitSeconds = 60;

const nameOfSetting = {
  LADING_ACCOUNT_NO: 'accountNo',
  LADING_SECRET: 'secret',
  LADING_CLIENT_ID: 'clientId',
  LADING_CHECK_VALUE: 'checkValue',
  LADING_CALLBACK_SECRET: 'callbackSecret',
};

replaceTexts(main, number, ownNumber);
document.querySelector('#cannot-sign').hidden = window.crypto.subtle !== undefined;
form.addEventListener('submit', (event) => event.preventDefault());
form.elements.file.addEventListener('input', readPastedFile);
form.elements.tenant.value = tenant;
let shownTenant = tenant;
for (const step of steps) step.querySelector('button').addEventListener('click', () => void run(step));
document.querySelector('#run-all').addEventListener('click', async () => {
  for (const step of steps) if (!(await run(step))) return;
});

/** The demo account has the tenant that the field already names. */
function readPastedFile() {
  for (const [, name, value] of form.elements.file.value.matchAll(/^(LADING_\w+)='?([^'\n]*)'?$/gm)) {
    if (nameOfSetting[name]) form.elements[nameOfSetting[name]].value = value.trim();
  }
  form.elements.file.value = '';
}

function fieldOf(name) {
  return form.elements[name].value.trim();
}

/** Whether the step has succeeded. */
async function run(step) {
  const button = step.querySelector('button');
  const isCallback = step.dataset.step === 'callback';
  const needed = isCallback
    ? ['accountNo', 'clientId', 'checkValue', 'callbackSecret']
    : ['accountNo', 'secret', 'tenant'];
  clear(step);
  const missing = needed.filter((name) => fieldOf(name) === '');
  if (missing.length > 0) {
    form.elements[missing[0]].focus();
    return end(step, false, `${words.missing} ${missing.map((name) => words[name]).join(', ')}`);
  }
  putTenant();
  button.disabled = true;
  try {
    return isCallback ? await runCallback(step) : await runSigned(step);
  } catch {
    return end(step, false, words.unreachable);
  } finally {
    button.disabled = false;
    button.textContent = words.again;
  }
}

/** The programs are text to be copied, into which only names belong that need no quotes. */
function putTenant() {
  const chosen = fieldOf('tenant');
  if (!/^[\p{L}\p{N}_.-]+$/u.test(chosen)) return;
  for (const step of steps) replaceTexts(step.querySelector('.program'), shownTenant, chosen);
  shownTenant = chosen;
}

function bodyOf(step) {
  const body = step.dataset.body
    .replaceAll(number, ownNumber)
    .replaceAll(`"${tenant}"`, JSON.stringify(fieldOf('tenant')));
  return body.replace(/"[^"]*\/docs\/tour\/inbox\/0{32}"/, JSON.stringify(inbox));
}

async function runSigned(step) {
  const body = bodyOf(step);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const sign = hex(await hmac(text.encode(fieldOf('secret')), text.encode(body + timestamp)));
  const headers = { 'content-type': 'application/json', 'account-no': fieldOf('accountNo'), timestamp, sign };
  const { path } = step.dataset;
  show(step, words.request, requestText(path, headers, body));
  show(step, words.signed, body + timestamp);
  const { status, json } = await post(path, headers, body);
  show(step, words.response, `${status}\n${JSON.stringify(json, null, 2)}`);
  if (json.success) return end(step, true, words.ok);
  // A repeat of the tour's own document is no mistake.
  if (json.code === 'LST-TPW-2001') return end(step, true, words.ok);
  return await explain(step, { status, errors: json.data?.errors, message: json.message, headers, body });
}

async function explain(step, { status, errors, message, headers, body }) {
  if (status === 401 && headers.sign) {
    const { json } = await post(diagnose, headers, body);
    const findings = json.data?.findings ?? [];
    if (findings.length > 0)
      addHint(
        step,
        words.diagnosis,
        findings.map((one) => ({ text: one.message })),
      );
  } else if (errors?.length > 0) {
    addHint(
      step,
      words.hint,
      errors.map((one) => ({ text: [one.path, one.message].filter(Boolean).join(': '), link: one.doc_url })),
    );
  }
  return end(step, false, `${words.failed}: ${message}. ${words.stopped}`);
}

async function runCallback(step) {
  const credentials = JSON.stringify({ ClientId: fieldOf('clientId'), CheckValue: fieldOf('checkValue') });
  const json = 'application/json';
  const token = await post('/api/v1/token/getToken', { 'content-type': json }, credentials);
  if (!token.json.done) return await explain(step, { status: token.status, ...mainErrors(token.json), headers: {} });

  const body = bodyOf(step);
  const { path } = step.dataset;
  show(step, words.request, requestText(path, { 'content-type': json, authorization: 'Bearer …' }, body));
  const headers = { 'content-type': json, authorization: `Bearer ${token.json.retval.access_token}` };
  const sent = await post(path, headers, body);
  show(step, words.response, `${sent.status}\n${JSON.stringify(sent.json, null, 2)}`);
  if (!sent.json.done) return await explain(step, { status: sent.status, ...mainErrors(sent.json), headers: {} });

  step.querySelector('.outcome').textContent = words.waiting;
  const callback = await waitForCallback(sent.json.retval.event_id);
  if (callback === null) return end(step, false, words.notArrived);
  const { headers: received, body: bytes } = callback;
  const signed = `${received['webhook-id']}.${received['webhook-timestamp']}.${bytes}`;
  show(step, words.received, `${headerLines(received)}\n\n${bytes}`);
  const isRight = await verify(received, signed);
  document.querySelector('#end').hidden = !isRight;
  return end(step, isRight, isRight ? words.verified : words.notVerified);
}

function mainErrors({ msg, errors }) {
  return { message: msg, errors };
}

async function waitForCallback(eventId) {
  const query = new URLSearchParams({ account_no: fieldOf('accountNo'), event_id: eventId });
  const name = inbox.slice(inboxes.length);
  for (let second = 0; second < waitSeconds; second++) {
    const answer = await fetch(`${serviceUrl}/docs/tour/inbox/${name}?${query}`, { cache: 'no-store' });
    const { callback = null } = answer.ok ? await answer.json() : {};
    if (callback !== null) return callback;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return null;
}

/** As in the Standard Webhooks specification: the key is the part after whsec_, in base64. */
async function verify(headers, signed) {
  const isRecent = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) <= 300;
  try {
    const key = Uint8Array.from(window.atob(fieldOf('callbackSecret').replace(/^whsec_/, '')), (one) =>
      one.charCodeAt(0),
    );
    const expected = window.btoa(String.fromCharCode(...(await hmac(key, text.encode(signed)))));
    return isRecent && headers['webhook-signature'].split(' ').includes(`v1,${expected}`);
  } catch {
    return false;
  }
}

async function hmac(key, message) {
  const imported = await window.crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await window.crypto.subtle.sign('HMAC', imported, message));
}

async function post(path, headers, body) {
  const answer = await fetch(serviceUrl + path, { method: 'POST', headers, body });
  return { status: answer.status, json: await answer.json() };
}

function requestText(path, headers, body) {
  return `POST ${path}\n${headerLines(headers)}\n\n${body}`;
}

function headerLines(headers) {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function clear(step) {
  step.querySelector('.shown').replaceChildren();
  step.querySelector('.outcome').textContent = '';
  step.removeAttribute('data-outcome');
}

function show(step, title, content) {
  const heading = Object.assign(document.createElement('h3'), { textContent: title });
  const block = Object.assign(document.createElement('pre'), { tabIndex: 0 });
  block.setAttribute('aria-label', title);
  block.setAttribute('role', 'group');
  block.append(Object.assign(document.createElement('code'), { textContent: content }));
  step.querySelector('.shown').append(heading, block);
}

function addHint(step, title, items) {
  const heading = Object.assign(document.createElement('h3'), { textContent: title });
  const list = document.createElement('ul');
  list.className = 'hint';
  for (const { text: said, link } of items) {
    const item = document.createElement('li');
    item.append(said);
    if (link)
      item.append(' ', Object.assign(document.createElement('a'), { href: link, textContent: link.split('/').at(-1) }));
    list.append(item);
  }
  step.querySelector('.shown').append(heading, list);
}

function end(step, isDone, message) {
  step.dataset.outcome = isDone ? 'done' : 'failed';
  step.querySelector('.outcome').textContent = message;
  if (!isDone) step.scrollIntoView({ block: 'nearest' });
  return isDone;
}

function replaceTexts(within, from, to) {
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode } = walker;
    if (currentNode.data.includes(from)) currentNode.data = currentNode.data.replaceAll(from, to);
  }
}

function randomHex(bytes) {
  return hex(window.crypto.getRandomValues(new Uint8Array(bytes)));
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
