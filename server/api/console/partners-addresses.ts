import { partnersAddresses } from '../../../contract/console/partner-addresses.ts';
import { mainBasePath } from '../../../contract/main/base-path.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

export function partnersAddressesCall({ addresses: { serverUrl, warehouseBasePath, logisticsSegment } }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(partnersAddresses, {
    role: 'read-only',
    audit: null,
    handle: async () => ({
      token_url: `${serverUrl}/api/v1/token/getToken`,
      main_url: `${serverUrl}${mainBasePath}`,
      warehouse_url: `${serverUrl}${warehouseBasePath}`,
      logistics_url: `${serverUrl}/${logisticsSegment}`,
      docs_url: `${serverUrl}/docs`,
    }),
  });
}
