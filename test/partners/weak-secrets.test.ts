import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorsList } from '../../contract/console/operators.ts';
import { systemOverview } from '../../contract/console/system.ts';
import { applyProvisioning } from '../../server/domain/partners/apply-provisioning.ts';
import { judgeSecrets } from '../../server/domain/partners/judge-secrets.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { operators, provisionOperators, signIn } from '../support/console.ts';
import { storeWeakSecret } from '../support/weak-secret.ts';

const app = await startTestApp();
await provisionOperators(app);
const { database, service, keyring } = app.store;

const weak = { secret: 'old-secret', checkValue: 'old-check-value', apiKey: 'old-key', password: 'boss-1234' };
await storeWeakSecret(app, 'account_secret', 'ALPHA', weak.secret);
await storeWeakSecret(app, 'check_value', 'alpha-erp', weak.checkValue);
await storeWeakSecret(app, 'logistics_key', 'ALPHA/wms', weak.apiKey);
await storeWeakSecret(app, 'operator_password', 'boss', weak.password);

test('secrets from before the rules keep working and are reported as weak: readable ones by a job, others once they are used', async () => {
  const staff = await signIn(app, 'staff');
  const reported = async () => (await staff.ask(systemOverview, {})).weak_secrets;
  assert.deepEqual(await reported(), []);
  assert.deepEqual(await judgeSecrets(service, keyring), { weak: 1 });

  assert.equal((await app.callWarehouse('/product/sync', {}, { secret: weak.secret })).status, 400);
  await app.tokenOf({ clientId: alpha.clientId, checkValue: weak.checkValue });
  await app.tokenOf(beta);
  assert.notEqual((await app.callLogistics('/orders/order', {}, { apiKey: weak.apiKey })).status, 401);
  await app.partnerUse.flush();
  const signedIn = await app.http.inject({
    method: 'POST',
    url: '/console/api/session/sign-in',
    payload: { username: 'boss', password: weak.password },
  });
  assert.deepEqual([signedIn.json().kind, signedIn.json().has_weak_password], ['signed_in', true]);
  app.clock.set(new Date(Date.now() + 60_000));
  assert.deepEqual(await reported(), [
    { kind: 'account_secret', owner: 'ALPHA' },
    { kind: 'check_value', owner: 'alpha-erp' },
    { kind: 'logistics_key', owner: 'ALPHA/wms' },
    { kind: 'operator_password', owner: 'boss' },
  ]);
});

test('the file that has such a secret is applied with a warning; a new value must follow the rules', async () => {
  const apply = (secret: string) =>
    applyProvisioning(service, keyring, { accounts: [{ account_no: 'ALPHA', secret }] }, { actor: 'test' });
  const same = await apply(weak.secret);
  assert.deepEqual(same.kind === 'applied' && [same.changes, same.warnings], [
    [],
    ['the account secret of ALPHA is weak by the present rules; it still works, but should be replaced'],
  ]);
  const other = await apply('another-secret');
  assert.deepEqual(other.kind === 'refused' && other.mistakes.map(({ message }) => message), [
    'must have at least 32 characters',
  ]);
});

test('an operator cannot choose a weak password, and is no longer reported after choosing a good one', async () => {
  await storeWeakSecret(app, 'operator_password', 'boss', operators.admin.password);
  await database.transaction((tx) => tx`update secret set weak = true where owner = 'boss'`);
  const admin = await signIn(app, 'admin');
  const isReported = async () =>
    (await admin.ask(operatorsList, {})).rows.find(({ username }) => username === 'boss')!.has_weak_password;
  assert.equal(await isReported(), true);
  const change = async (new_password: string) =>
    (await admin.send('/operators/change-own-password', { old_password: operators.admin.password, new_password })).json;
  const refusals = {
    elevenchars: 'short',
    'Passw0rd!2026': 'common',
    'boss-boss-2026': 'name',
    qwertyuiop12: 'pattern',
  };
  for (const [password, weakness] of Object.entries(refusals))
    assert.deepEqual(await change(password), { kind: 'weak_password', weakness });
  assert.equal(await isReported(), true);
  assert.equal((await change('three bees in a hat')).kind, 'changed');
  assert.equal(await isReported(), false);
});
