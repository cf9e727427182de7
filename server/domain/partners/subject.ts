import { distinct } from '../../platform/distinct.ts';
import type { Mistake } from '../../platform/json/schema.ts';
import { ownedName } from './owned-name.ts';
import type { Provisioning } from './provisioning.ts';
import type { SecretKind } from './secret.ts';

export type SubjectKind = 'warehouse' | 'store' | 'account' | 'tenant' | 'client' | 'logistics_key' | 'operator';

/** One item of a provisioning file, in terms that all kinds have in common. */
export interface Subject {
  kind: SubjectKind;
  /** The number by which people refer to it: `ALPHA`, `ALPHA/TPW-A`. */
  name: string;
  path: (string | number)[];
  /** The account that it belongs to. */
  accountNo?: string;
  key: Record<string, string | number>;
  given: Record<string, unknown>;
  /** Values of a new subject for fields that the file leaves out. */
  defaults: Record<string, unknown>;
  /** Fields that a new subject must have. */
  needed: string[];
  /** Fields that cannot change, with the reason. */
  fixed: Record<string, string>;
  secrets: { kind: SecretKind; field: string; owner: string; given: string | undefined; generate: boolean }[];
}

/** The table of a kind has the same name. */
export const referenceColumns = { warehouse_no: 'warehouse', store_no: 'store' } as const;

/** All items of the file, with referenced items first. flatMap skips the holes that mistaken items leave. */
export function subjectsOf(provisioning: Provisioning): { subjects: Subject[]; mistakes: Mistake<string>[] } {
  const subjects = [
    ...(provisioning.warehouses ?? []).flatMap(warehouseSubject),
    ...(provisioning.stores ?? []).flatMap(storeSubject),
    ...(provisioning.accounts ?? []).flatMap(accountSubject),
    ...(provisioning.accounts ?? []).flatMap((account, index) =>
      (account.tenants ?? []).flatMap((tenant, tenantIndex) =>
        tenantSubject(tenant, account.account_no, ['accounts', index, 'tenants', tenantIndex]),
      ),
    ),
    ...(provisioning.clients ?? []).flatMap(clientSubject),
    ...(provisioning.logistics_keys ?? []).flatMap(logisticsKeySubject),
    ...(provisioning.operators ?? []).flatMap(operatorSubject),
  ];
  return { subjects, mistakes: [...repeatedSubjects(subjects), ...connectorMistakes(provisioning)] };
}

type Item<Part extends keyof Provisioning> = NonNullable<Provisioning[Part]>[number];

function warehouseSubject({ warehouse_no, connector, ...given }: Item<'warehouses'>, index: number): Subject {
  const { secret, ...rest } = connector ?? { type: 'manual' as const };
  return {
    ...plain('warehouse', String(warehouse_no), ['warehouses', index]),
    key: { warehouse_no },
    given: connector ? { ...given, connector: rest } : given,
    defaults: { name: `Warehouse ${warehouse_no}`, connector: { type: 'manual' }, transfer_every_s: 60 },
    secrets: [
      {
        kind: 'connector_secret',
        field: 'connector.secret',
        owner: String(warehouse_no),
        given: secret,
        generate: connector?.type === 'http',
      },
    ],
  };
}

function storeSubject({ store_no, ...given }: Item<'stores'>, index: number): Subject {
  return {
    ...plain('store', String(store_no), ['stores', index]),
    key: { store_no },
    given,
    defaults: { name: `Store ${store_no}`, type: 'upload' },
  };
}

function accountSubject(
  { account_no, secret, callback_secret, tenants: _, ...given }: Item<'accounts'>,
  index: number,
): Subject {
  return {
    ...plain('account', account_no, ['accounts', index]),
    key: { account_no },
    given,
    defaults: { name: account_no, warehouse_api: true, enabled: true },
    needed: ['environment'],
    fixed: { environment: 'all data of an account is in its environment; make another account' },
    secrets: [
      { kind: 'account_secret', field: 'secret', owner: account_no, given: secret, generate: true },
      {
        kind: 'account_callback_secret',
        field: 'callback_secret',
        owner: account_no,
        given: callback_secret,
        generate: isGiven(given.callback_url),
      },
    ],
  };
}

function tenantSubject(
  { warehouse_tpw_id, callback_secret, ...given }: NonNullable<Item<'accounts'>['tenants']>[number],
  accountNo: string,
  path: (string | number)[],
): Subject {
  const owner = ownedName(accountNo, warehouse_tpw_id);
  return {
    ...plain('tenant', owner, path),
    accountNo,
    key: { warehouse_tpw_id },
    given,
    defaults: { sellable_days_before_expiry: 0, over_delivery_percent: 0, enabled: true },
    needed: ['warehouse_no', 'store_no'],
    secrets: [
      {
        kind: 'tenant_callback_secret',
        field: 'callback_secret',
        owner,
        given: callback_secret,
        generate: isGiven(given.callback_url),
      },
    ],
  };
}

/** A secret is generated together with the first address; without an address there is nothing to sign. */
function isGiven(callbackUrl: string | null | undefined): boolean {
  return callbackUrl !== undefined && callbackUrl !== null;
}

function clientSubject(
  { client_id, check_value, account_no, permissions, ...given }: Item<'clients'>,
  index: number,
): Subject {
  return {
    ...plain('client', client_id, ['clients', index]),
    ...(account_no === undefined ? {} : { accountNo: account_no }),
    key: { client_id },
    given: permissions === undefined ? given : { ...given, permissions: [...new Set(permissions)].sort() },
    defaults: { permissions: [], enabled: true },
    needed: ['account_no'],
    fixed: { account_no: 'a client belongs to one account; make another client' },
    secrets: [{ kind: 'check_value', field: 'check_value', owner: client_id, given: check_value, generate: true }],
  };
}

function logisticsKeySubject(
  { name, key, account_no, callback_secret, ...given }: Item<'logistics_keys'>,
  index: number,
): Subject {
  const owner = ownedName(account_no, name);
  return {
    ...plain('logistics_key', owner, ['logistics_keys', index]),
    accountNo: account_no,
    key: { name },
    given,
    defaults: { sellable_days_before_expiry: 0, over_delivery_percent: 0, enabled: true },
    needed: ['warehouse_no', 'store_no'],
    secrets: [
      { kind: 'logistics_key', field: 'key', owner, given: key, generate: true },
      { kind: 'callback_secret', field: 'callback_secret', owner, given: callback_secret, generate: true },
    ],
  };
}

function operatorSubject({ username, password, warehouse_nos, ...given }: Item<'operators'>, index: number): Subject {
  return {
    ...plain('operator', username, ['operators', index]),
    key: { username },
    given: warehouse_nos === undefined ? given : { ...given, warehouse_nos: warehousesOf(warehouse_nos) },
    defaults: { enabled: true },
    needed: ['role'],
    secrets: [{ kind: 'operator_password', field: 'password', owner: username, given: password, generate: true }],
  };
}

/** The column is null if the operator works in all warehouses. */
function warehousesOf(warehouseNos: number[]): number[] | null {
  return warehouseNos.length === 0 ? null : distinct(warehouseNos).toSorted((one, other) => one - other);
}

function plain(kind: SubjectKind, name: string, path: (string | number)[]) {
  return {
    kind,
    name,
    path,
    needed: [] as string[],
    fixed: {} as Record<string, string>,
    secrets: [] as Subject['secrets'],
  };
}

function repeatedSubjects(subjects: Subject[]): Mistake<string>[] {
  const seen = new Set<string>();
  return subjects.flatMap(({ kind, name, path }) => {
    const id = `${kind} ${name}`;
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ path, message: `${id} is listed twice` }];
  });
}

function connectorMistakes({ warehouses = [] }: Provisioning): Mistake<string>[] {
  return warehouses.flatMap(({ connector }, index) => {
    if (!connector) return [];
    const path = ['warehouses', index, 'connector'];
    const lacksUrl = connector.type === 'http' && connector.url === undefined;
    const strangers = Object.keys(connector).filter((field) => !connectorFields[connector.type].includes(field));
    return [
      ...(lacksUrl ? [{ path, message: 'a connector of type http needs a url' }] : []),
      ...strangers.map((field) => ({
        path: [...path, field],
        message: `a connector of type ${connector.type} has no ${field}`,
      })),
    ];
  });
}

const connectorFields = {
  manual: ['type'],
  http: ['type', 'url', 'changes_url', 'secret'],
  simulator: ['type', 'step_s', 'short_pick_percent', 'delay_percent'],
};
