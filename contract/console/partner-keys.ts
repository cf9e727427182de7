import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { Nothing, record } from './console-values.ts';
import {
  type ChangedPartner,
  type CreatedPartner,
  OverDeliveryPercent,
  type PartnerList,
  PartnerName,
  PlaceNo,
  Receiving,
  type SecretFacts,
  SellableDays,
} from './partner-values.ts';

export interface ListedLogisticsKey {
  account_no: string;
  name: string;
  /** Whether its account is: a key of a disabled one is refused as well. */
  account_enabled: boolean;
  warehouse_no: number;
  warehouse_name: string;
  store_no: number;
  store_name: string;
  receiving: 'on_create' | 'on_confirm';
  /** null: even what has expired is sold. */
  sellable_days_before_expiry: number | null;
  over_delivery_percent: number;
  enabled: boolean;
  created_at: string;
  last_used_at: string | null;
  key: SecretFacts;
  callback_secret: SecretFacts;
}

export const logisticsKeysList = consoleCall<PartnerList<ListedLogisticsKey>>()('/logistics-keys/list', Nothing);

const rules = {
  receiving: Type.Optional(Receiving),
  sellable_days_before_expiry: Type.Optional(SellableDays),
  over_delivery_percent: Type.Optional(OverDeliveryPercent),
};

export const logisticsKeysCreate = consoleCall<CreatedPartner>()(
  '/logistics-keys/create',
  record({ account_no: PartnerName, name: PartnerName, warehouse_no: PlaceNo, store_no: PlaceNo, ...rules }),
);

export const logisticsKeysChange = consoleCall<ChangedPartner>()(
  '/logistics-keys/change',
  record({
    account_no: PartnerName,
    name: PartnerName,
    warehouse_no: Type.Optional(PlaceNo),
    store_no: Type.Optional(PlaceNo),
    ...rules,
    enabled: Type.Optional(Type.Boolean()),
  }),
);
