import { type ListedWarehouse, warehousesList } from '../../../contract/console/partner-places.ts';
import { listWarehouseRows } from '../../domain/partners/partner-list-queries.ts';
import type { Sql } from '../../platform/database.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { listPartners, secretsOf } from './partner-rows.ts';

export function warehousesListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(warehousesList, { role: 'read-only', audit: null, handle: () => listPartners(parts, readWarehouses) });
}

async function readWarehouses(sql: Sql, rowsMax: number): Promise<ListedWarehouse[]> {
  const rows = await listWarehouseRows(sql, rowsMax);
  const ownerOf = ({ warehouse_no }: (typeof rows)[number]) => String(warehouse_no);
  const secrets = await secretsOf(sql, ['connector_secret'], rows.map(ownerOf));
  return rows.map((row) => ({ ...row, connector_secret: secrets('connector_secret', ownerOf(row)) }));
}
