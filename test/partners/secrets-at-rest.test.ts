import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makeAccountDirectory } from '../../server/domain/partners/account-directory.ts';
import type { IssuedSecret } from '../../server/domain/partners/apply-outcome.ts';
import { applyProvisioning } from '../../server/domain/partners/apply-provisioning.ts';
import { rotateSecret } from '../../server/domain/partners/rotate-secret.ts';
import {
  type KeptSecret,
  openSecret,
  type SecretKind,
  secretEquals,
  secretKinds,
} from '../../server/domain/partners/secret.ts';
import { forgetEndedSecrets, validSecrets } from '../../server/domain/partners/secret-queries.ts';
import { makeKeyring } from '../../server/platform/keyring.ts';
import { makeRunHere } from '../cli/run-here.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { column } from '../support/console.ts';
import { dumpTables } from './dump.ts';

const app = await startTestApp();
const { database, service, keyring } = app.store;

/** The owner of a secret of each kind, and its value in the provisioning file. */
const known: Record<SecretKind, { owner: string; value: string }> = {
  account_secret: { owner: 'GAMMA', value: 'known-account-secret-of-thirty-two-characters-or-more' },
  check_value: { owner: 'erp', value: 'known-check-value-of-thirty-two-characters-or-more' },
  logistics_key: { owner: 'GAMMA/wms', value: 'known-logistics-key-of-thirty-two-characters-or-more' },
  callback_secret: { owner: 'GAMMA/wms', value: 'whsec_a25vd24tY2FsbGJhY2stc2VjcmV0LWZvci10ZXN0cw==' },
  account_callback_secret: { owner: 'GAMMA', value: 'whsec_a25vd24tYWNjb3VudC1jYWxsYmFjay1zZWNyZXQ=' },
  tenant_callback_secret: { owner: 'GAMMA/TPW-G', value: 'whsec_a25vd24tdGVuYW50LWNhbGxiYWNrLXNlY3JldA==' },
  connector_secret: { owner: '7', value: 'known-connector-secret-of-thirty-two-characters-or-more' },
  operator_password: { owner: 'boss', value: 'known-operator-password' },
};
const kinds = Object.keys(secretKinds) as SecretKind[];

await app.provision({
  warehouses: [
    {
      warehouse_no: 7,
      connector: { type: 'http', url: 'https://warehouse.example', secret: known.connector_secret.value },
    },
    { warehouse_no: 8 },
  ],
  accounts: [
    {
      account_no: 'GAMMA',
      environment: 'uat',
      secret: known.account_secret.value,
      callback_secret: known.account_callback_secret.value,
      tenants: [
        {
          warehouse_tpw_id: 'TPW-G',
          warehouse_no: 1,
          store_no: 10,
          callback_secret: known.tenant_callback_secret.value,
        },
      ],
    },
  ],
  clients: [{ client_id: 'erp', account_no: 'GAMMA', check_value: known.check_value.value }],
  logistics_keys: [
    {
      name: 'wms',
      account_no: 'GAMMA',
      warehouse_no: 1,
      store_no: 10,
      key: known.logistics_key.value,
      callback_secret: known.callback_secret.value,
    },
  ],
  operators: [{ username: 'boss', role: 'admin', password: known.operator_password.value }],
});

/** Every way in which a value could lie in the dump of a table. */
async function assertNotStored(values: string[]): Promise<void> {
  const dump = JSON.stringify(await dumpTables(database));
  for (const value of values) {
    const bytes = Buffer.from(value);
    for (const form of [
      value,
      bytes.toString('hex'),
      bytes.toString('base64').replace(/=+$/, '').slice(0, -1),
      bytes.toString('base64url').slice(0, -1),
    ]) {
      assert.equal(dump.includes(form), false, `${value} as ${form}`);
    }
  }
}

async function validOf(kind: SecretKind, owner: string): Promise<(KeptSecret & { valid_until: Date | null })[]> {
  return await database.read((sql) => validSecrets(sql, kind, owner));
}

async function isValid(kind: SecretKind, owner: string, value: string): Promise<boolean> {
  const matches = await Promise.all(
    (await validOf(kind, owner)).map((kept) => secretEquals(keyring, kind, owner, kept, value)),
  );
  return matches.includes(true);
}

async function rotate(
  kind: SecretKind,
  overlapSeconds: number,
  owner = known[kind].owner,
): Promise<{ issued: IssuedSecret; previousValidUntil: Date }> {
  const outcome = await rotateSecret(service, keyring, { kind, owner }, { actor: 'test', overlapSeconds });
  assert.equal(outcome.kind, 'rotated');
  return outcome as Extract<typeof outcome, { kind: 'rotated' }>;
}

test('no column of any table holds a secret that was given', async () => {
  const [row] = await database.read(
    (sql) => sql`select sealed from secret where owner = 'GAMMA' and kind = 'account_secret'`,
  );
  const dump = JSON.stringify(await dumpTables(database));
  for (const stored of ['https://warehouse.example', (row!.sealed as Buffer).toString('hex')])
    assert.ok(dump.includes(stored), 'the dump shows text and bytes');
  await assertNotStored([...Object.values(known).map(({ value }) => value), alpha.secret, beta.secret]);
});

test('no column of any table holds a secret that was made, nor one that was rotated', async () => {
  const issued = await app.provision({
    accounts: [{ account_no: 'MADE', environment: 'uat' }],
    clients: [{ client_id: 'made', account_no: 'MADE' }],
    logistics_keys: [{ name: 'made', account_no: 'MADE', warehouse_no: 1, store_no: 10 }],
    operators: [{ username: 'made', role: 'staff' }],
  });
  const rotated = await rotate('account_secret', 3600, 'MADE');
  assert.equal(issued.length, 5);
  await assertNotStored([...issued.map(({ value }) => value), rotated.issued.value]);
});

test('a secret that signs is decrypted by the master key only', async () => {
  for (const kind of ['account_secret', 'callback_secret', 'connector_secret'] as const) {
    const { owner, value } = known[kind];
    const [kept] = await validOf(kind, owner);
    assert.equal(openSecret(keyring, kind, owner, kept!), value);
    assert.throws(() => openSecret(makeKeyring(randomBytes(32)), kind, owner, kept!), /which is not configured/);
    assert.throws(
      () => openSecret(keyring, kind, 'ANOTHER', kept!),
      'a seal copied to another owner does not open there',
    );
  }
});

test('a secret that is only compared is stored as a digest or argon2 hash', async () => {
  const [checkValue] = await validOf('check_value', 'erp');
  const [key] = await validOf('logistics_key', 'GAMMA/wms');
  const [password] = await validOf('operator_password', 'boss');

  for (const kept of [checkValue!, key!]) {
    assert.deepEqual(
      [kept.sealed, kept.digest?.length, kept.password_hash, kept.master_key_id],
      [null, 32, null, keyring.currentKeyId],
    );
  }
  assert.deepEqual([password!.sealed, password!.digest, password!.master_key_id], [null, null, null]);
  assert.match(password!.password_hash!, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('with another master key a command refuses to work and says which key is needed; with the former one beside it, it works', async () => {
  const settings = settingsFor(app.store);
  const otherKey = randomBytes(32);
  const changed = { ...settings, MASTER_KEY: otherKey.toString('base64') };
  const before = await dumpTables(database);
  const refused = await makeRunHere(changed).run('account rotate GAMMA');
  const previous = makeRunHere({ ...changed, MASTER_KEY_PREVIOUS: settings.MASTER_KEY! });

  assert.deepEqual(refused, {
    code: 3,
    stdout: '',
    stderr:
      `lading: the secrets in the database are protected by master key ${keyring.currentKeyId}, ` +
      `but MASTER_KEY is ${makeKeyring(otherKey).currentKeyId}; give the right one, or the former one as MASTER_KEY_PREVIOUS\n`,
  });
  const accounts: { account_no: string }[] = await previous.json('account list');
  assert.deepEqual(column(accounts, 'account_no'), ['ALPHA', 'BETA', 'GAMMA', 'MADE']);
  assert.deepEqual(await dumpTables(database), before);
});

for (const kind of kinds) {
  const { owner, value } = known[kind];

  test(`rotating the ${secretKinds[kind].called} with an overlap keeps both valid, rotating again ends the oldest; it is logged without its value`, async () => {
    const values = [value];
    const areValid = () => Promise.all(values.map((one) => isValid(kind, owner, one)));
    const next = async (overlapSeconds: number) => {
      const { issued, previousValidUntil } = await rotate(kind, overlapSeconds);
      assert.deepEqual([issued.kind, issued.owner], [kind, owner]);
      assert.ok(issued.value.startsWith(secretKinds[kind].prefix));
      values.push(issued.value);
      return previousValidUntil;
    };
    const firstEnds = await next(3600);
    assert.deepEqual(await areValid(), [true, true]);
    const ends = (await validOf(kind, owner)).map(({ valid_until }) => valid_until);
    assert.deepEqual(ends, [null, firstEnds]);
    await next(3600);
    assert.deepEqual(await areValid(), [false, true, true]);
    const lastEnds = await next(0);
    assert.deepEqual(await areValid(), [false, false, false, true]);
    assert.equal((await validOf(kind, owner)).length, 1);

    const [change] = await database.read(
      (sql) => sql`select actor, subject, change, fields from partner_change order by partner_change_id desc limit 1`,
    );
    const fields = { [kind]: 'rotated', previous_valid_until: lastEnds.toISOString() };
    assert.deepEqual({ ...change }, { actor: 'test', subject: owner, change: 'rotated', fields });
    await assertNotStored(values);
  });
}

test('a rotation is refused as not found if there is no such owner or secret, and nothing is changed', async () => {
  const before = await dumpTables(database);
  // The connector of warehouse 8 has no secret.
  const missing = [
    ...kinds.map((kind) => ({ kind, owner: 'NOBODY' })),
    { kind: 'connector_secret', owner: '8' } as const,
  ];
  for (const secret of missing) {
    const outcome = await rotateSecret(service, keyring, secret, { actor: 'test', overlapSeconds: 60 });
    assert.deepEqual(outcome, { kind: 'not_found' }, secret.kind);
  }
  assert.deepEqual(await dumpTables(database), before);
});

test('five rotations at the same instant leave one current secret and one before it', async () => {
  await app.provision({ accounts: [{ account_no: 'RACE', environment: 'uat' }] });
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => rotate('account_secret', 3600, 'RACE')));

  const valid = (await validOf('account_secret', 'RACE')).map((kept) =>
    openSecret(keyring, 'account_secret', 'RACE', kept),
  );
  assert.equal(valid.length, 2);
  assert.equal(outcomes.filter(({ issued }) => valid.includes(issued.value)).length, 2);
});

const body = { sku_id: 'TEA', sku_name: 'Tea', storage_type: 1 };
async function statusWith(accountNo: string, secret: string): Promise<number> {
  return (await app.callWarehouse('/product/sync', body, { accountNo, secret })).status;
}

test('during the overlap a call signed with either secret is accepted; at its end, or without one, the old secret is refused', async () => {
  const [old] = await app.provision({ accounts: [{ account_no: 'OVERLAP', environment: 'uat' }] });
  const { issued, previousValidUntil } = await rotate('account_secret', 600, 'OVERLAP');

  for (const [instant, statuses] of [
    [null, [200, 200]],
    [new Date(previousValidUntil.getTime() - 1), [200, 200]],
    [previousValidUntil, [401, 200]],
  ] as const) {
    app.clock.set(instant);
    assert.deepEqual([await statusWith('OVERLAP', old!.value), await statusWith('OVERLAP', issued.value)], statuses);
  }
  app.clock.set(null);

  const [former] = await app.provision({ accounts: [{ account_no: 'ATONCE', environment: 'uat' }] });
  const { issued: next } = await rotate('account_secret', 0, 'ATONCE');
  assert.deepEqual([await statusWith('ATONCE', former!.value), await statusWith('ATONCE', next.value)], [401, 200]);
});

test('the account directory knows the tenants that are enabled, the current secret first, then the one before with its end', async () => {
  const tenant = { warehouse_tpw_id: 'LISTED-1', warehouse_no: 1, store_no: 10, sellable_days_before_expiry: 3 };
  const disabled = { ...tenant, warehouse_tpw_id: 'LISTED-2', enabled: false };
  const [old] = await app.provision({
    accounts: [{ account_no: 'LISTED', environment: 'production', warehouse_api: false, tenants: [tenant, disabled] }],
  });
  const { issued, previousValidUntil } = await rotate('account_secret', 600, 'LISTED');
  const account = await makeAccountDirectory(service, keyring).find('LISTED');

  assert.deepEqual(account, {
    accountId: account!.accountId,
    accountNo: 'LISTED',
    environment: 'production',
    enabled: true,
    warehouseApi: false,
    callbackUrl: null,
    secrets: [
      { key: createSecretKey(issued.value, 'utf8'), validUntil: null },
      { key: createSecretKey(old!.value, 'utf8'), validUntil: previousValidUntil },
    ],
    formerKeys: [],
    tenants: new Map([
      [
        'LISTED-1',
        {
          warehouseNo: 1,
          storeNo: 10,
          receiving: 'on_confirm',
          sellableDaysBeforeExpiry: 3,
          overDeliveryPercent: 0,
          callbackUrl: null,
        },
      ],
    ]),
  });
  assert.equal(await makeAccountDirectory(service, keyring).find('NOBODY'), null);
});

test('secrets whose overlap has ended are forgotten, the others stay', async () => {
  await app.provision({ accounts: [{ account_no: 'ENDED', environment: 'uat' }] });
  await rotate('account_secret', 3600, 'ENDED');
  await database.transaction(
    (tx) =>
      tx`update secret set valid_until = now() - interval '1 second' where owner = 'ENDED' and valid_until is not null`,
  );
  const secretsKept = async () =>
    (await database.read((sql) => sql`select count(*)::int from secret`))[0]!.count as number;
  const before = await secretsKept();

  assert.equal(await database.transaction(forgetEndedSecrets), 1);
  assert.equal(await secretsKept(), before - 1);
  assert.equal((await validOf('account_secret', 'ENDED')).length, 1);
});

test('the same file applied again after a rotation does not undo it: neither during the overlap nor after, nor once it is forgotten', async () => {
  const filed = {
    accounts: [
      { account_no: 'FILED', environment: 'uat' as const, secret: 'filed-secret-of-thirty-two-characters-or-more' },
    ],
  };
  const valid = async (...values: string[]) =>
    await Promise.all(values.map((value) => isValid('account_secret', 'FILED', value)));
  await app.provision(filed);
  const { issued: first } = await rotate('account_secret', 3600, 'FILED');
  await app.provision(filed);
  assert.deepEqual(await valid('filed-secret-of-thirty-two-characters-or-more', first.value), [true, true]);

  const { issued: second } = await rotate('account_secret', 0, 'FILED');
  await database.transaction(forgetEndedSecrets);
  await app.provision(filed);
  assert.deepEqual(await valid('filed-secret-of-thirty-two-characters-or-more', first.value, second.value), [
    false,
    false,
    true,
  ]);

  await app.provision({
    accounts: [{ account_no: 'FILED', secret: 'another-secret-of-thirty-two-characters-or-more' }],
  });
  assert.deepEqual(
    await valid(
      'filed-secret-of-thirty-two-characters-or-more',
      second.value,
      'another-secret-of-thirty-two-characters-or-more',
    ),
    [false, false, true],
  );
});

test('a file with a secret that was rotated since names it, and changes nothing', async () => {
  const filed = {
    clients: [
      {
        client_id: 'overtaken',
        account_no: 'ALPHA',
        check_value: 'filed-check-value-of-thirty-two-characters-or-more',
      },
    ],
  };
  await app.provision(filed);
  await rotate('check_value', 0, 'overtaken');
  assert.deepEqual(await applyProvisioning(service, app.store.keyring, filed, { actor: 'test' }), {
    kind: 'applied',
    changes: [],
    issued: [],
    kept: [{ kind: 'check_value', owner: 'overtaken' }],
    warnings: ['client overtaken has no permissions, so every call that it makes is refused'],
  });
});
