import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { Nothing, record } from './console-values.ts';
import { type ChangedPartner, type CreatedPartner, type PartnerList, PlaceNo, type SecretFacts, Title } from './partner-values.ts';

/** How orders reach a warehouse. */
export type Connector =
  | { type: 'manual' }
  | { type: 'http'; url: string }
  | { type: 'simulator'; step_s?: number; short_pick_percent?: number; delay_percent?: number };

export interface ListedWarehouse {
  warehouse_no: number;
  name: string;
  connector: Connector;
  transfer_every_s: number;
  created_at: string;
  connector_secret: SecretFacts;
}

export interface ListedStore {
  store_no: number;
  name: string;
  type: string;
  created_at: string;
}

const percent = Type.Optional(Type.Integer({ minimum: 0, maximum: 100 }));
const Seconds = Type.Integer({ minimum: 1, maximum: 86_400 });
const ConnectorBody = Type.Union([
  record({ type: Type.Enum(['manual']) }),
  record({ type: Type.Enum(['http']), url: Type.String({ pattern: '^https?://\\S+$', maxLength: 2000, description: 'an http(s) URL' }) }),
  record({ type: Type.Enum(['simulator']), step_s: Type.Optional(Seconds), short_pick_percent: percent, delay_percent: percent }),
]);
const warehouseFields = {
  name: Type.Optional(Title),
  connector: Type.Optional(ConnectorBody),
  transfer_every_s: Type.Optional(Seconds),
};

export const warehousesList = consoleCall<PartnerList<ListedWarehouse>>()('/warehouses/list', Nothing);
export const warehousesCreate = consoleCall<CreatedPartner>()('/warehouses/create', record({ warehouse_no: PlaceNo, ...warehouseFields }));
export const warehousesChange = consoleCall<ChangedPartner>()('/warehouses/change', record({ warehouse_no: PlaceNo, ...warehouseFields }));

const storeFields = { name: Type.Optional(Title), type: Type.Optional(Title) };

export const storesList = consoleCall<PartnerList<ListedStore>>()('/stores/list', Nothing);
export const storesCreate = consoleCall<CreatedPartner>()('/stores/create', record({ store_no: PlaceNo, ...storeFields }));
export const storesChange = consoleCall<ChangedPartner>()('/stores/change', record({ store_no: PlaceNo, ...storeFields }));
