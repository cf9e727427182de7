import type { BodyOf } from '../../../contract/console/console-call.ts';
import type { ConnectProblem, LinkLanguage, onboardingConnect } from '../../../contract/console/onboarding.ts';
import type { ClientPermission } from '../../../contract/console/partners.ts';
import {
  checkName,
  checkNumber,
  checkOptionalUrl,
  checkPicked,
  checkTenant,
  checkTitle,
  type FieldMistake,
} from '../partners/field-checks.ts';
import { type PresetName, permissionsOf } from './presets.ts';

export const wizardSteps = ['account', 'goods', 'access', 'confirm'] as const;
export type WizardStep = (typeof wizardSteps)[number];
export const newStore = 'new';

export interface ConnectValues {
  environment: 'uat' | 'production';
  accountNo: string;
  name: string;
  warehouseApi: boolean;
  mainApi: boolean;
  logistics: boolean;
  tenantId: string;
  warehouseNo: string;
  /** `new`, or the number of a store. */
  storeNo: string;
  newStoreNo: string;
  newStoreName: string;
  clientId: string;
  preset: PresetName | 'own';
  permissions: ClientPermission[];
  keyName: string;
  callbackUrl: string;
  hours: string;
  language: LinkLanguage;
}

export interface Places {
  warehouses: string[];
  stores: number[];
}

/** Fields that nobody has typed in follow the account number and what is there. */
export function valuesOf(typed: Partial<ConnectValues>, places: Places, language: LinkLanguage): ConnectValues {
  const accountNo = typed.accountNo?.trim() ?? '';
  return {
    environment: 'uat',
    name: '',
    warehouseApi: true,
    mainApi: true,
    logistics: false,
    tenantId: accountNo === '' ? '' : `TPW-${accountNo}`,
    warehouseNo: places.warehouses.length === 1 ? places.warehouses[0]! : '',
    storeNo: newStore,
    newStoreNo: String(Math.max(0, ...places.stores) + 1),
    newStoreName: typed.name ?? '',
    clientId: accountNo === '' ? '' : `${accountNo.toLowerCase()}-erp`,
    preset: 'shop',
    permissions: permissionsOf.shop,
    keyName: 'wms',
    callbackUrl: '',
    hours: '72',
    language,
    ...typed,
    accountNo,
  };
}

export type ConnectField = keyof ConnectValues;
export type ConnectMistakes = Partial<Record<ConnectField, FieldMistake>>;

/** The mistakes in the fields of a step. Fields of an API that was not chosen do not count. */
export function mistakesOf(step: WizardStep, values: ConnectValues): ConnectMistakes {
  const { warehouseApi, mainApi, logistics } = values;
  const found: [ConnectField, FieldMistake | null][] = [];
  if (step === 'account') {
    found.push(['accountNo', checkName(values.accountNo)], ['name', checkTitle(values.name.trim())]);
    if (!warehouseApi && !mainApi && !logistics) found.push(['warehouseApi', 'required']);
  }
  if (step === 'goods' && (warehouseApi || mainApi || logistics)) {
    found.push(['tenantId', checkTenant(values.tenantId.trim())], ['warehouseNo', checkPicked(values.warehouseNo)]);
    if (values.storeNo === newStore)
      found.push(
        ['newStoreNo', checkNumber(values.newStoreNo)],
        ['newStoreName', checkTitle(values.newStoreName.trim())],
      );
  }
  if (step === 'access') {
    if (mainApi) found.push(['clientId', checkName(values.clientId.trim())]);
    if (logistics) found.push(['keyName', checkName(values.keyName.trim())]);
    found.push(['callbackUrl', checkOptionalUrl(values.callbackUrl.trim())]);
  }
  return Object.fromEntries(found.filter(([, mistake]) => mistake !== null));
}

const stepOfField: Partial<Record<ConnectField, WizardStep>> = {
  tenantId: 'goods',
  warehouseNo: 'goods',
  storeNo: 'goods',
  newStoreNo: 'goods',
  newStoreName: 'goods',
  clientId: 'access',
  permissions: 'access',
  keyName: 'access',
  callbackUrl: 'access',
};

export function stepOf(field: ConnectField): WizardStep {
  return stepOfField[field] ?? 'account';
}

const fieldOfProblem: Record<string, ConnectField> = {
  'account.account_no': 'accountNo',
  'account.name': 'name',
  'account.warehouse_api': 'warehouseApi',
  'account.callback_url': 'callbackUrl',
  'store.store_no': 'newStoreNo',
  'store.name': 'newStoreName',
  'tenant.warehouse_tpw_id': 'tenantId',
  'tenant.warehouse_no': 'warehouseNo',
  'tenant.store_no': 'storeNo',
  'client.client_id': 'clientId',
  'client.permissions': 'permissions',
  'logistics_key.name': 'keyName',
  'logistics_key.warehouse_no': 'warehouseNo',
  'logistics_key.store_no': 'storeNo',
};

/** The field of the form for a problem; null: it is shown above the buttons. */
export function fieldOf(problem: Pick<ConnectProblem, 'field'>): ConnectField | null {
  return fieldOfProblem[problem.field ?? ''] ?? null;
}

export function bodyOf(values: ConnectValues, requestId: string): BodyOf<typeof onboardingConnect> {
  const isNew = values.storeNo === newStore;
  const store_no = Number(isNew ? values.newStoreNo : values.storeNo);
  const place = { warehouse_no: Number(values.warehouseNo), store_no };
  const [name, storeName, url] = [values.name.trim(), values.newStoreName.trim(), values.callbackUrl.trim()];
  return {
    request_id: requestId,
    hours: Number(values.hours),
    language: values.language,
    account: {
      account_no: values.accountNo,
      ...(name !== '' && { name }),
      environment: values.environment,
      warehouse_api: values.warehouseApi,
      ...(url !== '' && { callback_url: url }),
    },
    ...(isNew && { store: { store_no, ...(storeName !== '' && { name: storeName }) } }),
    tenant: { warehouse_tpw_id: values.tenantId.trim(), ...place },
    ...(values.mainApi && { client: { client_id: values.clientId.trim(), permissions: values.permissions } }),
    ...(values.logistics && { logistics_key: { name: values.keyName.trim(), ...place } }),
  };
}
