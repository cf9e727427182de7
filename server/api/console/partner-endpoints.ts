import { accountsDetailCall } from './accounts-detail.ts';
import { accountsListCall } from './accounts-list.ts';
import { auditLogSearchCall } from './audit-log-search.ts';
import { clientsListCall } from './clients-list.ts';
import type { ConsoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { logisticsKeysListCall } from './logistics-keys-list.ts';
import { operatorsChangeOwnPasswordCall } from './operators-change-own-password.ts';
import { operatorsListCall } from './operators-list.ts';
import { operatorsResetPasswordCall } from './operators-reset-password.ts';
import { partnerChangeEndpoints } from './partner-changes.ts';
import { partnersAddressesCall } from './partners-addresses.ts';
import { secretsRotateCall } from './secrets-rotate.ts';
import { storesListCall } from './stores-list.ts';
import { warehousesListCall } from './warehouses-list.ts';

/** Partners, operators and the audit log. */
export function partnerEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    accountsListCall(parts),
    accountsDetailCall(parts),
    clientsListCall(parts),
    logisticsKeysListCall(parts),
    warehousesListCall(parts),
    storesListCall(parts),
    partnersAddressesCall(parts),
    ...partnerChangeEndpoints(parts),
    secretsRotateCall(parts),
    operatorsListCall(parts),
    operatorsResetPasswordCall(parts),
    operatorsChangeOwnPasswordCall(parts),
    auditLogSearchCall(parts),
  ];
}
