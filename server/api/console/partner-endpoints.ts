import { auditLogSearchCall } from './audit-log-search.ts';
import type { ConsoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { operatorsChangeOwnPasswordCall, operatorsListCall, operatorsResetPasswordCall } from './operators.ts';
import { partnerChangeEndpoints } from './partner-changes.ts';
import { partnerListEndpoints } from './partner-lists.ts';
import { secretsRotateCall } from './secrets-rotate.ts';

/** Partners, operators and the audit log. */
export function partnerEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    ...partnerListEndpoints(parts),
    ...partnerChangeEndpoints(parts),
    secretsRotateCall(parts),
    operatorsListCall(parts),
    operatorsResetPasswordCall(parts),
    operatorsChangeOwnPasswordCall(parts),
    auditLogSearchCall(parts),
  ];
}
