/*
 * Scripts of the collection, run by Postman and, after an import, by Bruno. Bruno translates most of the Postman API to
 * its own; for the rest, a script checks which of the two it runs in. Both include crypto-js.
 */

/** Signs the body as it is sent: the script first replaces the variables, then signs and sends the result. */
export const signScript = `const { HmacSHA256 } = require('crypto-js');
const inBruno = typeof bru !== 'undefined';

const body = pm.variables.replaceIn(inBruno ? req.getBody({ raw: true }) : pm.request.body.raw);
if (inBruno) req.setBody(body, { raw: true });
else pm.request.body.raw = body;

const timestamp = String(Math.floor(Date.now() / 1000));
pm.variables.set('timestamp', timestamp);
pm.variables.set('sign', HmacSHA256(body + timestamp, pm.variables.replaceIn('{{sharedSecret}}')).toString());`;

/** Reuses a token until one minute before it expires. */
export const tokenScript = `const inBruno = typeof bru !== 'undefined';
// Bruno would save collection variables to disk.
const remember = (name, value) => (inBruno ? bru.setVar(name, value) : pm.collectionVariables.set(name, value));
const remembered = (name) => (inBruno ? bru.getVar(name) : pm.collectionVariables.get(name));

const open = /getToken|well-known/.test(inBruno ? req.getUrl() : pm.request.url.toString());
const url = pm.variables.replaceIn('{{baseUrl}}/api/v1/token/getToken');
const ClientId = pm.variables.replaceIn('{{clientId}}');
const tokenFor = ClientId + ' ' + url;
const isGood = remembered('accessTokenFor') === tokenFor && Number(remembered('accessTokenUntil')) > Date.now();
if (!open && !isGood) {
  const CheckValue = pm.variables.replaceIn('{{checkValue}}');
  pm.sendRequest(
    { method: 'POST', url, header: { 'content-type': 'application/json' }, body: { mode: 'raw', raw: JSON.stringify({ ClientId, CheckValue }) } },
    (error, answer) => {
      if (error) throw error;
      const { msg, retval } = answer.json();
      if (!retval) throw new Error('No access token: ' + msg);
      remember('accessToken', retval.access_token);
      remember('accessTokenFor', tokenFor);
      remember('accessTokenUntil', Date.now() + (retval.expires_in - 60) * 1000);
    },
  );
}`;

export const checkScript = `// Do not reuse a rejected token.
if (pm.response.code === 401) {
  if (typeof bru !== 'undefined') bru.setVar('accessTokenUntil', 0);
  else pm.collectionVariables.set('accessTokenUntil', 0);
}
pm.test('the credentials are valid', () => pm.expect(pm.response.code).to.not.be.oneOf([401, 403]));
pm.test('the service has responded', () => pm.expect(pm.response.code).to.be.below(500));`;
