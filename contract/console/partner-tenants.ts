import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';
import {
  type ChangedPartner,
  type CreatedPartner,
  OverDeliveryPercent,
  PartnerName,
  PlaceNo,
  Receiving,
  SellableDays,
  WarehouseTpwId,
} from './partner-values.ts';

export interface ListedTenant {
  account_no: string;
  warehouse_tpw_id: string;
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
}

const rules = {
  receiving: Type.Optional(Receiving),
  sellable_days_before_expiry: Type.Optional(SellableDays),
  over_delivery_percent: Type.Optional(OverDeliveryPercent),
};

export const tenantsCreate = consoleCall<CreatedPartner>()(
  '/tenants/create',
  record({ account_no: PartnerName, warehouse_tpw_id: WarehouseTpwId, warehouse_no: PlaceNo, store_no: PlaceNo, ...rules }),
);

export const tenantsChange = consoleCall<ChangedPartner>()(
  '/tenants/change',
  record({
    account_no: PartnerName,
    warehouse_tpw_id: WarehouseTpwId,
    warehouse_no: Type.Optional(PlaceNo),
    store_no: Type.Optional(PlaceNo),
    ...rules,
    enabled: Type.Optional(Type.Boolean()),
  }),
);
