import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stringify } from 'yaml';
import { type ApplyOutcome, applyProvisioning } from '../../server/domain/partners/apply-provisioning.ts';
import { readProvisioning } from '../../server/domain/partners/read-provisioning.ts';
import { keepSecret } from '../../server/domain/partners/secret.ts';
import { replaceSecret } from '../../server/domain/partners/secret-queries.ts';
import { makeTestStore, type TestStore } from '../support/database.ts';
import { dumpTables } from './dump.ts';

const stores: TestStore[] = [];
after(() => Promise.all(stores.map((store) => store.close())));

async function emptyStore(): Promise<TestStore> {
  const store = await makeTestStore({ pool: 4 });
  stores.push(store);
  return store;
}

/** Applies a file as `lading apply` does: the outcome, with its mistakes as the operator reads them. */
async function apply(store: TestStore, text: string, actor = 'test'): Promise<Exclude<ApplyOutcome, { kind: 'refused' }> | string[]> {
  const reading = readProvisioning(text);
  if (reading.kind === 'unreadable') return reading.mistakes;
  const { provisioning, mistakes, mistaken, word } = reading;
  const outcome = await applyProvisioning(store.database, store.keyring, provisioning, { actor, mistakes, mistaken });
  return outcome.kind === 'refused' ? word(outcome.mistakes) : outcome;
}

async function applied(store: TestStore, text: string, actor?: string): Promise<Extract<ApplyOutcome, { kind: 'applied' }>> {
  const outcome = await apply(store, text, actor);
  assert.ok(!Array.isArray(outcome) && outcome.kind === 'applied', JSON.stringify(outcome));
  return outcome;
}

async function rows(store: TestStore, query: string): Promise<Record<string, unknown>[]> {
  return [...(await store.database.read((sql) => sql.unsafe(query)))];
}

const example = {
  warehouses: [{ warehouse_no: 1, name: 'Taoyuan', connector: { type: 'manual' }, transfer_every_s: 60 }],
  stores: [{ store_no: 10, name: 'Upload test', type: 'upload' }],
  accounts: [
    {
      account_no: 'ALPHA',
      name: 'Alpha',
      environment: 'uat',
      secret: 'alpha-secret',
      warehouse_api: true,
      tenants: [{ warehouse_tpw_id: 'TPW-A', warehouse_no: 1, store_no: 10, receiving: 'on_create' }],
    },
  ],
  clients: [{ client_id: 'erp', check_value: 'erp-check-value', account_no: 'ALPHA', permissions: ['stocks.read'], enabled: true }],
  logistics_keys: [
    {
      name: 'wms',
      key: 'wms-key',
      account_no: 'ALPHA',
      warehouse_no: 1,
      store_no: 10,
      callback_secret: 'whsec_d21zLWNhbGxiYWNrLXNlY3JldC1vZi1hbHBoYQ==',
    },
  ],
  operators: [{ username: 'boss', password: 'boss-password', role: 'admin' }],
};

/** Every partner with what it has, without ids, times and seals. */
async function partnersOf(store: TestStore) {
  return {
    warehouses: await rows(store, 'select warehouse_no, name, connector, transfer_every_s from warehouse order by 1'),
    stores: await rows(store, 'select store_no, name, type from store order by 1'),
    accounts: await rows(store, 'select account_no, name, environment, warehouse_api, enabled from account order by 1'),
    tenants: await rows(
      store,
      `select account_no, warehouse_tpw_id, warehouse_no, store_no, receiving, sellable_days_before_expiry, t.enabled
      from tenant t join account using (account_id) order by 1, 2`,
    ),
    clients: await rows(
      store,
      'select client_id, account_no, permissions, c.enabled from client c join account using (account_id) order by 1',
    ),
    logisticsKeys: await rows(
      store,
      `select k.name, account_no, warehouse_no, store_no, receiving, sellable_days_before_expiry, k.enabled
      from logistics_key k join account using (account_id) order by 1`,
    ),
    operators: await rows(store, 'select username, role, enabled from operator order by 1'),
    secrets: await rows(store, 'select kind, owner, valid_until from secret order by 1, 2'),
  };
}

const partnersOfExample = {
  warehouses: [{ warehouse_no: 1, name: 'Taoyuan', connector: { type: 'manual' }, transfer_every_s: 60 }],
  stores: [{ store_no: 10, name: 'Upload test', type: 'upload' }],
  accounts: [{ account_no: 'ALPHA', name: 'Alpha', environment: 'uat', warehouse_api: true, enabled: true }],
  tenants: [
    {
      account_no: 'ALPHA',
      warehouse_tpw_id: 'TPW-A',
      warehouse_no: 1,
      store_no: 10,
      receiving: 'on_create',
      sellable_days_before_expiry: 0,
      enabled: true,
    },
  ],
  clients: [{ client_id: 'erp', account_no: 'ALPHA', permissions: ['stocks.read'], enabled: true }],
  logisticsKeys: [
    {
      ...{ name: 'wms', account_no: 'ALPHA', warehouse_no: 1, store_no: 10, receiving: 'on_create' },
      ...{ sellable_days_before_expiry: 0, enabled: true },
    },
  ],
  operators: [{ username: 'boss', role: 'admin', enabled: true }],
  secrets: [
    { kind: 'account_secret', owner: 'ALPHA', valid_until: null },
    { kind: 'callback_secret', owner: 'ALPHA/wms', valid_until: null },
    { kind: 'check_value', owner: 'erp', valid_until: null },
    { kind: 'logistics_key', owner: 'ALPHA/wms', valid_until: null },
    { kind: 'operator_password', owner: 'boss', valid_until: null },
  ],
};

const createdByExample = [
  ['warehouse', '1'],
  ['store', '10'],
  ['account', 'ALPHA'],
  ['tenant', 'ALPHA/TPW-A'],
  ['client', 'erp'],
  ['logistics_key', 'ALPHA/wms'],
  ['operator', 'boss'],
];

const standing = await emptyStore();
await applied(standing, stringify(example));

for (const [format, text] of [
  ['YAML', stringify(example)],
  ['JSON', JSON.stringify(example)],
  ['JSON indented with tabs', JSON.stringify(example, null, '\t')],
] as const) {
  test(`the example file as ${format} makes every partner of it, once, and issues no secret that was given`, async () => {
    const store = await emptyStore();
    const { changes, issued } = await applied(store, text);

    assert.deepEqual(
      changes.map(({ kind, name, change }) => [kind, name, change]),
      createdByExample.map(([kind, name]) => [kind, name, 'created']),
    );
    assert.deepEqual(issued, []);
    assert.deepEqual(await partnersOf(store), partnersOfExample);
  });
}

test('applied again, a file changes nothing: not a byte of the database', async () => {
  const before = await dumpTables(standing.database);
  for (const text of [stringify(example), JSON.stringify(example)]) {
    assert.deepEqual(await apply(standing, text), { kind: 'applied', changes: [], issued: [], kept: [], warnings: [] });
  }
  assert.deepEqual(await dumpTables(standing.database), before);
});

test('an empty file changes nothing', async () => {
  const before = await dumpTables(standing.database);
  for (const text of ['', '# nothing\n', '{}', 'accounts: []']) {
    assert.deepEqual(await apply(standing, text), { kind: 'applied', changes: [], issued: [], kept: [], warnings: [] });
  }
  assert.deepEqual(await dumpTables(standing.database), before);
});

const wrong: [name: string, lines: string[], mistakes: string[]][] = [
  ['an unknown field', ['stores:', '  - store_no: 10', '    nmae: x'], ['line 3, stores[0].nmae: unknown field']],
  ['an unknown part', ['stores: []', 'shops: []'], ['line 2, shops: unknown field']],
  ['a wrong type', ['stores:', '  - store_no: 10', '    name: 7'], ['line 3, stores[0].name: must be string']],
  ['a number as text', ['stores:', '  - store_no: "10"'], ['line 2, stores[0].store_no: must be integer']],
  ['a list that is none', ['stores:', '  store_no: 10'], ['line 2, stores: must be array']],
  ['a file that is a list', ['- stores'], ['line 1: must be object']],
  ['a missing name', ['stores:', '  - name: x'], ['line 2, stores[0].store_no: is missing']],
  [
    'a value that is none of the allowed ones',
    ['accounts:', '  - account_no: ALPHA', '    environment: prod'],
    ['line 3, accounts[0].environment: must be one of uat, production'],
  ],
  [
    'a permission that does not exist',
    ['clients:', '  - client_id: erp', '    permissions: [stocks.read, stocks.write]'],
    [
      'line 3, clients[0].permissions[1]: must be one of stocks.read, products.read, orders.read, orders.write, inbounds.read, ' +
        'inbounds.write, fulfilment.write, callbacks.read, callbacks.write',
    ],
  ],
  [
    'an account_no with a space',
    ['accounts:', '  - account_no: AL PHA'],
    ['line 2, accounts[0].account_no: must be 1-64 visible ASCII characters without spaces'],
  ],
  [
    'a callback secret that is none',
    ['logistics_keys:', '  - name: wms', '    account_no: ALPHA', '    callback_secret: plain-text-secret'],
    ['line 4, logistics_keys[0].callback_secret: must be whsec_ followed by base64'],
  ],
  ...['whsec_AAAAA', `whsec_${'A'.repeat(31)}`, `whsec_${'A'.repeat(28)}`, `whsec_${'A'.repeat(88)}`].map(
    (secret): (typeof wrong)[number] => [
      `a callback secret that Standard Webhooks cannot use (${secret.length} characters)`,
      ['logistics_keys:', '  - name: wms', '    account_no: ALPHA', `    callback_secret: ${secret}`],
      ['line 4, logistics_keys[0].callback_secret: must be whsec_ followed by the base64 of 24 to 64 bytes'],
    ],
  ),
  [
    'a password that is too short',
    ['operators:', '  - username: boss', '    password: seven77'],
    ['line 3, operators[0].password: must be 8-256 valid Unicode characters, no control characters'],
  ],
  [
    'the same partner twice',
    ['stores:', '  - store_no: 11', '  - store_no: 12', '  - store_no: 11'],
    ['line 4, stores[2]: store 11 stands here a second time'],
  ],
  [
    'the same tenant twice',
    ['accounts:', '  - account_no: ALPHA', '    tenants:', '      - warehouse_tpw_id: TPW-A', '      - warehouse_tpw_id: TPW-A'],
    ['line 5, accounts[0].tenants[1]: tenant ALPHA/TPW-A stands here a second time'],
  ],
  ['a YAML key twice', ['stores:', '  - store_no: 11', '    name: a', '    name: b'], ['line 4: Map keys must be unique']],
  ['a JSON key twice', ['{ "stores": [],', '"stores": [] }'], ['line 2: Map keys must be unique']],
  [
    'a warehouse that does not exist',
    ['accounts:', '  - account_no: ALPHA', '    tenants:', '      - { warehouse_tpw_id: TPW-A,', '          warehouse_no: 2 }'],
    ['line 5, accounts[0].tenants[0].warehouse_no: warehouse 2 does not exist'],
  ],
  [
    'a store that does not exist',
    ['logistics_keys:', '  - name: wms', '    account_no: ALPHA', '    store_no: 11'],
    ['line 4, logistics_keys[0].store_no: store 11 does not exist'],
  ],
  [
    'an account that does not exist',
    ['clients:', '  - client_id: new', '    account_no: GAMMA'],
    ['line 3, clients[0].account_no: account GAMMA does not exist'],
  ],
  [
    'a new account without its environment',
    ['accounts:', '  - account_no: GAMMA'],
    ['line 2, accounts[0]: environment is missing, and account GAMMA is new'],
  ],
  [
    'a new tenant without its warehouse and store',
    ['accounts:', '  - account_no: ALPHA', '    tenants:', '      - warehouse_tpw_id: TPW-B'],
    [
      'line 4, accounts[0].tenants[0]: warehouse_no is missing, and tenant ALPHA/TPW-B is new',
      'line 4, accounts[0].tenants[0]: store_no is missing, and tenant ALPHA/TPW-B is new',
    ],
  ],
  [
    'a new client without its account',
    ['clients:', '  - client_id: new'],
    ['line 2, clients[0]: account_no is missing, and client new is new'],
  ],
  [
    'a new operator without a role',
    ['operators:', '  - username: new'],
    ['line 2, operators[0]: role is missing, and operator new is new'],
  ],
  [
    'another environment for an account',
    ['accounts:', '  - account_no: ALPHA', '    environment: production'],
    [
      'line 3, accounts[0].environment: environment of account ALPHA cannot change: ' +
        'all data of an account is in its environment; make another account',
    ],
  ],
  [
    'another account for a client',
    ['accounts:', '  - { account_no: BETA, environment: uat }', 'clients:', '  - client_id: erp', '    account_no: BETA'],
    ['line 5, clients[0].account_no: account_no of client erp cannot change: a client belongs to one account; make another client'],
  ],
  [
    'a logistics key that another one has',
    ['logistics_keys:', '  - { name: other, account_no: ALPHA, warehouse_no: 1, store_no: 10,', '      key: wms-key }'],
    ['line 3, logistics_keys[0].key: this key is already in use; every key must be different'],
  ],
  [
    'the same logistics key twice in one file',
    [
      'logistics_keys:',
      '  - { name: a, account_no: ALPHA, warehouse_no: 1, store_no: 10, key: twice }',
      '  - { name: b, account_no: ALPHA, warehouse_no: 1, store_no: 10, key: twice }',
    ],
    ['line 3, logistics_keys[1].key: this key is already in use; every key must be different'],
  ],
  [
    'an http connector without url',
    ['warehouses:', '  - warehouse_no: 1', '    connector: { type: http,', '      step_s: 5 }'],
    [
      'line 3, warehouses[0].connector: a connector of type http needs a url',
      'line 4, warehouses[0].connector.step_s: a connector of type http has no step_s',
    ],
  ],
  [
    'fields of another type of connector',
    ['warehouses:', '  - warehouse_no: 1', '    connector: { type: manual, url: "https://w.example" }'],
    ['line 3, warehouses[0].connector.url: a connector of type manual has no url'],
  ],
  [
    'a connector url that is none',
    ['warehouses:', '  - warehouse_no: 1', '    connector: { type: http,', '      url: "http://[::1" }'],
    ['line 4, warehouses[0].connector.url: must be an http(s) URL without user name and password'],
  ],
  [
    'a connector secret in the form of Standard Webhooks that cannot be used',
    ['warehouses:', '  - warehouse_no: 1', '    connector: { type: http, url: "https://w.example",', '      secret: whsec_AAAAA }'],
    ['line 4, warehouses[0].connector.secret: must be whsec_ followed by the base64 of 24 to 64 bytes'],
  ],
  [
    'half of a surrogate pair in a name, an identifier and a secret',
    [
      'stores:',
      '  - { store_no: 11, name: "tea \\ud83c" }',
      'accounts:',
      '  - account_no: ALPHA',
      '    secret: "\\udc00 secret"',
      '    tenants:',
      '      - warehouse_tpw_id: "T\\ud800"',
    ],
    [
      'line 2, stores[0].name: must be 1-200 valid Unicode characters, no control characters, no white space at the ends',
      'line 5, accounts[0].secret: must be 1-256 valid Unicode characters, no control characters',
      'line 7, accounts[0].tenants[0].warehouse_tpw_id: must be 1-125 characters, no control, zero-width or bidirectional characters, no white space at the ends',
    ],
  ],
  ['5,000 nested brackets', [`stores: ${'['.repeat(5000)}${']'.repeat(5000)}`], ['the file is nested too deeply']],
  ['text that is not YAML', ['stores:', '  - store_no: 10', ' name: x'], ['line 3: All mapping items must start at the same column']],
  ['text with a quote that does not end', ['stores: []', 'x: "hidden-value'], ['line 2: Missing closing quote']],
  [
    'two documents in one file',
    ['stores: []', '---', 'stores: []'],
    ['line 2: Source contains multiple documents; please use YAML.parseAllDocuments()'],
  ],
  [
    'an alias without its anchor',
    ['accounts:', '  - { account_no: ALPHA, secret: *hidden-value }'],
    ['an alias (*name) has no anchor before it, or aliases are nested too deeply'],
  ],
];

for (const [name, lines, mistakes] of wrong) {
  test(`refused with line and path, and nothing changed: ${name}`, async () => {
    const before = await dumpTables(standing.database);
    assert.deepEqual(await apply(standing, lines.join('\n')), mistakes);
    assert.deepEqual(await dumpTables(standing.database), before);
  });
}

const mistakenPlaces: [name: string, lines: string[], mistakes: string[]][] = [
  [
    'a fraction',
    ['warehouses: [{ warehouse_no: 7,', '    connector: { type: simulator, step_s: 0.2 } }]'],
    ['warehouses[0].connector.step_s: must be integer', 'warehouses[0].connector.step_s: must be >= 1'],
  ],
  ['a misspelt field', ['warehouses: [{ warehouse_no: 7,', '    transfer_every: 5 }]'], ['warehouses[0].transfer_every: unknown field']],
  [
    'a connector without url',
    ['warehouses: [{ warehouse_no: 7,', '    connector: { type: http } }]'],
    ['warehouses[0].connector: a connector of type http needs a url'],
  ],
  [
    'an empty name',
    ['stores: [{ store_no: 7,', '    name: "" }]'],
    ['stores[0].name: must be 1-200 valid Unicode characters, no control characters, no white space at the ends'],
  ],
];

for (const [name, place, mistakes] of mistakenPlaces) {
  test(`a mistake in a new warehouse or store that a tenant and a key refer to is named alone: ${name}`, async () => {
    const store = await emptyStore();
    const before = await dumpTables(store.database);
    const kind = place[0]!.startsWith('stores') ? 'store' : 'warehouse';
    const numbers = { warehouse_no: kind === 'warehouse' ? 7 : 1, store_no: kind === 'store' ? 7 : 1 };
    const other = kind === 'store' ? { warehouses: [{ warehouse_no: 1 }] } : { stores: [{ store_no: 1 }] };
    const rest = {
      ...other,
      accounts: [{ account_no: 'ALPHA', environment: 'uat', tenants: [{ warehouse_tpw_id: 'T', ...numbers }] }],
      logistics_keys: [{ name: 'wms', account_no: 'ALPHA', ...numbers }],
    };
    assert.deepEqual(
      await apply(store, `${place.join('\n')}\n${stringify(rest)}`),
      mistakes.map((mistake) => `line 2, ${mistake}`),
    );
    assert.deepEqual(await dumpTables(store.database), before);
  });
}

test('a callback secret that was stored when shorter ones were allowed may stay in the file', async () => {
  const store = await emptyStore();
  await applied(store, stringify(example));
  const short = 'whsec_d21zLWNhbGxiYWNr';
  const kept = await keepSecret(store.keyring, 'callback_secret', 'ALPHA/wms', short);
  await store.database.transaction((tx) =>
    replaceSecret(tx, { kind: 'callback_secret', owner: 'ALPHA/wms' }, { ...kept, from_file: true }, 0),
  );
  const file = { logistics_keys: [{ name: 'wms', account_no: 'ALPHA', callback_secret: short }] };
  assert.deepEqual(await applied(store, stringify(file)), { kind: 'applied', changes: [], issued: [], kept: [], warnings: [] });
});

test('a client without permissions is accepted with a warning, each time that the file is applied', async () => {
  const store = await emptyStore();
  const file = stringify({
    accounts: [{ account_no: 'ALPHA', environment: 'uat' }],
    clients: [
      { client_id: 'erp', account_no: 'ALPHA' },
      { client_id: 'shop', account_no: 'ALPHA', permissions: ['orders.read'] },
    ],
  });
  for (const changes of [3, 0]) {
    const outcome = await applied(store, file);
    assert.equal(outcome.changes.length, changes);
    assert.deepEqual(outcome.warnings, ['client erp has no permissions, so every call that it makes is refused']);
  }
});

test('many mistakes of form are all reported at once', async () => {
  const lines = [
    'warehouses:',
    '  - { warehouse_no: 0, color: red }',
    'stores:',
    '  - { name: 7 }',
    'accounts: 5',
    'operators:',
    '  - username: a b',
    '    role: king',
  ];
  const before = await dumpTables(standing.database);
  const mistakes = await apply(standing, lines.join('\n'));

  assert.ok(Array.isArray(mistakes));
  assert.deepEqual(
    mistakes.toSorted(),
    [
      'line 2, warehouses[0].color: unknown field',
      'line 2, warehouses[0].warehouse_no: must be >= 1',
      'line 4, stores[0].store_no: is missing',
      'line 4, stores[0].name: must be string',
      'line 5, accounts: must be array',
      'line 7, operators[0].username: must be 1-64 visible ASCII characters without spaces',
      'line 8, operators[0].role: must be one of admin, staff, read-only',
    ].toSorted(),
  );
  assert.deepEqual(await dumpTables(standing.database), before);
});

test('many mistakes of substance are all reported at once, and what was right in the file is taken back with them', async () => {
  const lines = [
    'warehouses: [{ warehouse_no: 5 }]',
    'accounts:',
    '  - { account_no: BETA, environment: uat }',
    '  - account_no: ALPHA',
    '    name: Renamed',
    '    environment: production',
    '    tenants: [{ warehouse_tpw_id: TPW-A, warehouse_no: 9, store_no: 99 }]',
    'clients: [{ client_id: erp, account_no: BETA }]',
    'operators:',
    '  - { username: right, role: staff }',
    '  - { username: wrong }',
  ];
  const before = await dumpTables(standing.database);
  assert.deepEqual(await apply(standing, lines.join('\n')), [
    'line 6, accounts[1].environment: environment of account ALPHA cannot change: all data of an account is in its environment; make another account',
    'line 7, accounts[1].tenants[0].warehouse_no: warehouse 9 does not exist',
    'line 7, accounts[1].tenants[0].store_no: store 99 does not exist',
    'line 8, clients[0].account_no: account_no of client erp cannot change: a client belongs to one account; make another client',
    'line 11, operators[1]: role is missing, and operator wrong is new',
  ]);
  assert.deepEqual(await dumpTables(standing.database), before);
});

test('a mistake never repeats a value, which may be a secret', async () => {
  const hidden = 'hidden value';
  const texts = [
    `accounts: [{ account_no: ${hidden}, secret: [${hidden}], environment: ${hidden} }]`,
    `logistics_keys: [{ name: a, account_no: ALPHA, key: ${hidden}, callback_secret: ${hidden} }]`,
    `operators: [{ username: a, password: "${hidden}\\t" }]`,
    `accounts: [{ account_no: A, secret: '${hidden}`,
    `secret: "${hidden}" ${hidden}`,
    `accounts:\n  - account_no: A\n    secret: @${hidden}`,
    `accounts:\n  - account_no: A\n    secret: %${hidden}: ${hidden}`,
    `accounts:\n  - account_no: A\n    secret: "\\q${hidden}"`,
    `accounts:\n  - account_no: A\n    secret: *${hidden.replace(' ', '-')}`,
  ];
  for (const text of texts) {
    const mistakes = await apply(standing, text);
    assert.ok(Array.isArray(mistakes) && mistakes.length > 0, text);
    assert.doesNotMatch(mistakes.join('\n'), /hidden/, text);
  }
});

test('a field that is left out stays; one that is given changes, and only that one', async () => {
  const store = await emptyStore();
  await applied(store, stringify(example));
  const { changes, issued } = await applied(
    store,
    stringify({
      warehouses: [{ warehouse_no: 1, transfer_every_s: 30 }],
      accounts: [{ account_no: 'ALPHA', enabled: false, tenants: [{ warehouse_tpw_id: 'TPW-A', sellable_days_before_expiry: 14 }] }],
      clients: [{ client_id: 'erp', permissions: ['stocks.read', 'orders.read', 'orders.read'] }],
      logistics_keys: [{ name: 'wms', account_no: 'ALPHA', receiving: 'on_confirm' }],
      operators: [{ username: 'boss' }],
    }),
  );

  assert.deepEqual(changes, [
    { kind: 'warehouse', name: '1', change: 'changed', fields: ['transfer_every_s'] },
    { kind: 'account', name: 'ALPHA', change: 'changed', fields: ['enabled'] },
    { kind: 'tenant', name: 'ALPHA/TPW-A', change: 'changed', fields: ['sellable_days_before_expiry'] },
    { kind: 'client', name: 'erp', change: 'changed', fields: ['permissions'] },
    { kind: 'logistics_key', name: 'ALPHA/wms', change: 'changed', fields: ['receiving'] },
  ]);
  assert.deepEqual(issued, []);
  assert.deepEqual(await partnersOf(store), {
    ...partnersOfExample,
    warehouses: [{ ...partnersOfExample.warehouses[0], transfer_every_s: 30 }],
    accounts: [{ ...partnersOfExample.accounts[0], enabled: false }],
    tenants: [{ ...partnersOfExample.tenants[0], sellable_days_before_expiry: 14 }],
    clients: [{ ...partnersOfExample.clients[0], permissions: ['orders.read', 'stocks.read'] }],
    logisticsKeys: [{ ...partnersOfExample.logisticsKeys[0], receiving: 'on_confirm' }],
  });
});

test('the order in which permissions stand does not count', async () => {
  const store = await emptyStore();
  const file = (...permissions: string[]) => stringify({ ...example, clients: [{ ...example.clients[0], permissions }] });
  await applied(store, file('stocks.read', 'orders.read'));
  assert.deepEqual((await applied(store, file('orders.read', 'stocks.read', 'orders.read'))).changes, []);
});

test('null takes the shelf life of a tenant or a key away again, and a file that is silent leaves it so', async () => {
  const store = await emptyStore();
  const file = (rule: { sellable_days_before_expiry?: number | null }) =>
    stringify({
      ...example,
      accounts: [{ ...example.accounts[0], tenants: [{ ...example.accounts[0]!.tenants[0], ...rule }] }],
      logistics_keys: [{ ...example.logistics_keys[0], ...rule }],
    });
  const daysOf = async () => {
    const { tenants, logisticsKeys } = await partnersOf(store);
    return [...tenants, ...logisticsKeys].map((row) => row.sellable_days_before_expiry);
  };
  await applied(store, file({}));
  assert.deepEqual(await daysOf(), [0, 0]);
  await applied(store, file({ sellable_days_before_expiry: 7 }));
  assert.deepEqual(await daysOf(), [7, 7]);
  await applied(store, file({ sellable_days_before_expiry: null }));
  assert.deepEqual(await daysOf(), [null, null]);
  await applied(store, file({}));
  assert.deepEqual(await daysOf(), [null, null]);
});

const withoutSecrets = {
  warehouses: [{ warehouse_no: 2, connector: { type: 'http', url: 'https://warehouse.example/orders' } }],
  stores: [{ store_no: 20 }],
  accounts: [
    { account_no: 'UAT', environment: 'uat', tenants: [{ warehouse_tpw_id: 'T', warehouse_no: 2, store_no: 20 }] },
    { account_no: 'PROD', environment: 'production', tenants: [{ warehouse_tpw_id: 'T', warehouse_no: 2, store_no: 20 }] },
  ],
  clients: [{ client_id: 'c', account_no: 'UAT' }],
  logistics_keys: [
    { name: 'k', account_no: 'UAT', warehouse_no: 2, store_no: 20 },
    { name: 'k', account_no: 'PROD', warehouse_no: 2, store_no: 20 },
  ],
  operators: [{ username: 'o', role: 'read-only' }],
};

test('a secret that is left out is made once, of 256 bits, and not again the second time', async () => {
  const store = await emptyStore();
  const { issued } = await applied(store, stringify(withoutSecrets));

  assert.deepEqual(
    issued.map(({ kind, owner }) => [kind, owner]),
    [
      ['connector_secret', '2'],
      ['account_secret', 'UAT'],
      ['account_secret', 'PROD'],
      ['check_value', 'c'],
      ['logistics_key', 'UAT/k'],
      ['callback_secret', 'UAT/k'],
      ['logistics_key', 'PROD/k'],
      ['callback_secret', 'PROD/k'],
      ['operator_password', 'o'],
    ],
  );
  const forms = {
    account_secret: /^las_[A-Za-z0-9_-]{43}$/,
    check_value: /^lcv_[A-Za-z0-9_-]{43}$/,
    logistics_key: /^llk_[A-Za-z0-9_-]{43}$/,
    callback_secret: /^whsec_[A-Za-z0-9+/]{43}=$/,
    connector_secret: /^whsec_[A-Za-z0-9+/]{43}=$/,
    operator_password: /^lop_[A-Za-z0-9_-]{43}$/,
  };
  for (const { kind, value } of issued) assert.match(value, forms[kind]);
  assert.equal(new Set(issued.map(({ value }) => value)).size, issued.length);

  const before = await dumpTables(store.database);
  assert.deepEqual(await applied(store, stringify(withoutSecrets)), {
    kind: 'applied',
    changes: [],
    issued: [],
    kept: [],
    warnings: ['client c has no permissions, so every call that it makes is refused'],
  });
  assert.deepEqual(await dumpTables(store.database), before);
});

test('where the file is silent, a new partner has the defaults; units count on creation in uat and on confirmation in production', async () => {
  const store = await emptyStore();
  await applied(store, stringify(withoutSecrets));
  const { secrets: _, ...partners } = await partnersOf(store);

  const tenant = { warehouse_tpw_id: 'T', warehouse_no: 2, store_no: 20, sellable_days_before_expiry: 0, enabled: true };
  const key = { name: 'k', warehouse_no: 2, store_no: 20, sellable_days_before_expiry: 0, enabled: true };
  assert.deepEqual(
    { ...partners, logisticsKeys: partners.logisticsKeys.toSorted((a, b) => String(a.account_no).localeCompare(String(b.account_no))) },
    {
      warehouses: [
        {
          warehouse_no: 2,
          name: 'Warehouse 2',
          connector: { type: 'http', url: 'https://warehouse.example/orders' },
          transfer_every_s: 60,
        },
      ],
      stores: [{ store_no: 20, name: 'Store 20', type: 'upload' }],
      accounts: [
        { account_no: 'PROD', name: 'PROD', environment: 'production', warehouse_api: true, enabled: true },
        { account_no: 'UAT', name: 'UAT', environment: 'uat', warehouse_api: true, enabled: true },
      ],
      tenants: [
        { account_no: 'PROD', ...tenant, receiving: 'on_confirm' },
        { account_no: 'UAT', ...tenant, receiving: 'on_create' },
      ],
      clients: [{ client_id: 'c', account_no: 'UAT', permissions: [], enabled: true }],
      logisticsKeys: [
        { account_no: 'PROD', ...key, receiving: 'on_confirm' },
        { account_no: 'UAT', ...key, receiving: 'on_create' },
      ],
      operators: [{ username: 'o', role: 'read-only', enabled: true }],
    },
  );
});

test('a secret that differs from the stored one takes its place at once', async () => {
  const store = await emptyStore();
  await applied(store, stringify(example));
  const changed = {
    accounts: [{ account_no: 'ALPHA', secret: 'alpha-secret-2' }],
    clients: [{ client_id: 'erp', check_value: 'erp-check-value-2' }],
    logistics_keys: [
      { name: 'wms', account_no: 'ALPHA', key: 'wms-key-2', callback_secret: 'whsec_d21zLWNhbGxiYWNrLXNlY3JldC1vZi1hbHBoYS0y' },
    ],
    operators: [{ username: 'boss', password: 'boss-password-2' }],
  };
  const { changes, issued } = await applied(store, stringify(changed));

  assert.deepEqual(
    changes.map(({ name, change, fields }) => [name, change, fields]),
    [
      ['ALPHA', 'changed', ['secret']],
      ['erp', 'changed', ['check_value']],
      ['ALPHA/wms', 'changed', ['key', 'callback_secret']],
      ['boss', 'changed', ['password']],
    ],
  );
  assert.deepEqual(issued, []);
  assert.deepEqual(await partnersOf(store), partnersOfExample);
  assert.deepEqual((await applied(store, stringify(changed))).changes, []);
  assert.deepEqual((await applied(store, stringify(example))).changes.length, 4);
});

test('a logistics key that was given up may be used by another', async () => {
  const store = await emptyStore();
  await applied(store, stringify(example));
  await applied(store, stringify({ logistics_keys: [{ name: 'wms', account_no: 'ALPHA', key: 'wms-key-2' }] }));
  const taking = { logistics_keys: [{ name: 'other', account_no: 'ALPHA', warehouse_no: 1, store_no: 10, key: 'wms-key' }] };
  assert.deepEqual(
    (await applied(store, stringify(taking))).changes.map(({ name, change }) => [name, change]),
    [['ALPHA/other', 'created']],
  );
});

test('two accounts may use the same names for their tenants and keys', async () => {
  const store = await emptyStore();
  await applied(store, stringify(withoutSecrets));
  assert.deepEqual(
    await rows(
      store,
      `select count(*)::int as tenants, count(distinct account_id)::int as accounts from tenant where warehouse_tpw_id = 'T'`,
    ),
    [{ tenants: 2, accounts: 2 }],
  );
});

test('eight applies of the same file at the same instant make one of each', async () => {
  const store = await emptyStore();
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => applied(store, stringify(withoutSecrets))));

  assert.deepEqual(outcomes.map(({ changes }) => changes.length).toSorted(), [0, 0, 0, 0, 0, 0, 0, 10]);
  assert.deepEqual(outcomes.map(({ issued }) => issued.length).toSorted(), [0, 0, 0, 0, 0, 0, 0, 9]);
  assert.deepEqual(await rows(store, 'select count(*)::int from account'), [{ count: 2 }]);
  assert.deepEqual(await rows(store, 'select count(*)::int from secret'), [{ count: 9 }]);
  assert.deepEqual(await rows(store, 'select count(*)::int from partner_change'), [{ count: 10 }]);
});

test('every change is written down: who, when, what, and never the value of a secret', async () => {
  const store = await emptyStore();
  const [{ before }] = (await rows(store, 'select now() as before')) as [{ before: Date }];
  const { issued } = await applied(store, stringify(withoutSecrets), 'first (root)');
  await applied(store, stringify(example), 'second (root)');
  await applied(store, stringify({ accounts: [{ account_no: 'ALPHA', name: 'Alef', secret: 'alpha-secret-2' }] }), 'third (root)');
  const [{ now }] = (await rows(store, 'select now() as now')) as [{ now: Date }];

  const changes = await rows(store, 'select * from partner_change order by partner_change_id');
  const ofAlpha = changes.filter(({ subject_kind, subject }) => subject_kind === 'account' && subject === 'ALPHA');
  assert.deepEqual(
    ofAlpha.map(({ actor, change, fields }) => ({ actor, change, fields })),
    [
      {
        actor: 'second (root)',
        change: 'created',
        fields: { name: 'Alpha', environment: 'uat', warehouse_api: true, enabled: true, secret: 'set' },
      },
      { actor: 'third (root)', change: 'changed', fields: { name: 'Alef', secret: 'set' } },
    ],
  );
  assert.deepEqual(
    changes.map(({ actor }) => actor),
    [...Array(10).fill('first (root)'), ...Array(7).fill('second (root)'), 'third (root)'],
  );
  for (const { changed_at } of changes) assert.ok(before <= (changed_at as Date) && (changed_at as Date) <= now);

  const text = JSON.stringify(changes);
  const given = ['alpha-secret', 'alpha-secret-2', 'erp-check-value', 'wms-key', 'whsec_', 'boss-password'];
  for (const value of [...given, ...issued.map((secret) => secret.value)]) assert.equal(text.includes(value), false, value);
});

test('a refused file leaves no trace in the list of changes', async () => {
  const before = await rows(standing, 'select count(*)::int from partner_change');
  await apply(standing, 'stores: [{ store_no: 77 }]\naccounts: [{ account_no: NEW }]');
  assert.deepEqual(await rows(standing, 'select count(*)::int from partner_change'), before);
});

for (const statement of ["update partner_change set actor = 'nobody'", 'delete from partner_change', 'truncate partner_change']) {
  test(`the list of changes refuses: ${statement}`, async () => {
    const before = await dumpTables(standing.database);
    await assert.rejects(rows(standing, statement), /partner_change is append-only/);
    assert.deepEqual(await dumpTables(standing.database), before);
  });
}

test('only where there is no account yet: the demo is not made beside other accounts', async () => {
  const before = await dumpTables(standing.database);
  const demo = { stores: [{ store_no: 1 }] };
  assert.deepEqual(await applyProvisioning(standing.database, standing.keyring, demo, { actor: 'test', onlyIfEmpty: true }), {
    kind: 'not_empty',
  });
  assert.deepEqual(await dumpTables(standing.database), before);
});

test('mistakes of form and mistakes of reference are named together, in the order of the file, without follow-on mistakes', async () => {
  const store = await emptyStore();
  const before = await dumpTables(store.database);
  const mistakes = await apply(
    store,
    `warehouses:
  - { warehouse_no: 1, nam: Taoyuan }
stores:
  - { store_no: 10 }
accounts:
  - account_no: ALPHA
    environment: uta
  - account_no: BETA
    environment: uat
    tenants:
      - { warehouse_tpw_id: T, warehouse_no: 1, store_no: 11 }
      - { warehouse_tpw_id: 7 }
clients:
  - { client_id: erp, account_no: ALPHA }
  - { client_id: other, account_no: GAMMA }
operators:
  - { username: boss }
`,
  );
  assert.deepEqual(mistakes, [
    'line 2, warehouses[0].nam: unknown field',
    'line 7, accounts[0].environment: must be one of uat, production',
    'line 11, accounts[1].tenants[0].store_no: store 11 does not exist',
    'line 12, accounts[1].tenants[1].warehouse_tpw_id: must be string',
    'line 15, clients[1].account_no: account GAMMA does not exist',
    'line 17, operators[0]: role is missing, and operator boss is new',
  ]);
  assert.deepEqual(await dumpTables(store.database), before);
});
