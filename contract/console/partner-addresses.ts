import { consoleCall } from './console-call.ts';
import { Nothing } from './console-values.ts';

/** What a partner's developer has to know beside the secret. */
export interface PartnerAddresses {
  token_url: string;
  main_url: string;
  warehouse_url: string;
  logistics_url: string;
  docs_url: string;
}

export const partnersAddresses = consoleCall<PartnerAddresses>()('/partners/addresses', Nothing);
