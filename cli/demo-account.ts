import type { Config } from '../server/config.ts';
import { type Provisioning, permissions } from '../server/domain/partners/provisioning.ts';
import type { DemoCredentials } from './demo-credentials.ts';

/** The partners that the first start creates, so that there is something to try. */
export const demoProvisioning: Provisioning = {
  warehouses: [{ warehouse_no: 1, name: 'Demo warehouse', connector: { type: 'manual' } }],
  stores: [{ store_no: 1, name: 'Upload test store', type: 'upload' }],
  accounts: [
    {
      account_no: 'DEMO',
      name: 'Demo account',
      environment: 'uat',
      tenants: [{ warehouse_tpw_id: 'TPW-DEMO', warehouse_no: 1, store_no: 1 }],
    },
  ],
  clients: [{ client_id: 'demo', account_no: 'DEMO', permissions: [...permissions] }],
  logistics_keys: [{ name: 'demo', account_no: 'DEMO', warehouse_no: 1, store_no: 1, receive_after_s: 0 }],
  operators: [{ username: 'demo', role: 'admin' }],
};

/** `file`: the file that has the credentials, too; null if there is none. */
export function demoBanner(
  credentials: DemoCredentials,
  file: string | null,
  { warehouseBasePath, port, dataDir, publicUrl }: Config,
): string {
  const settings = [dataDir === null ? '' : `DATA_DIR='${dataDir}' `, port === 8080 ? '' : `PORT=${port} `].join('');
  const body = '{"sku_id":"TEA-1","sku_name":"Oolong tea","storage_type":1}';
  return `
The database was empty, so a demo account was created. Its credentials are shown only once${file === null ? ':' : `; commands read them from\n${file}:`}

  warehouse API   account-no        DEMO
                  shared secret     ${credentials.LADING_SECRET}
                  warehouse_tpw_id  TPW-DEMO
  main API        ClientId          demo
                  CheckValue        ${credentials.LADING_CHECK_VALUE}
  logistics       API key           ${credentials.LADING_API_KEY}
                  callback secret   ${credentials.LADING_CALLBACK_SECRET}
  operator        username          demo
                  password          ${credentials.LADING_PASSWORD}

Try a signed request from another terminal, in this folder:

  ${settings}npx lading call ${warehouseBasePath}/product/sync --account DEMO \\
    '${body}'

Log in to the console as the operator: ${publicUrl}/console

README.md continues from here to a first order. For partner developers:

  tour: first calls in the browser           ${publicUrl}/docs/tour
  quickstart: a first order from a program   ${publicUrl}/docs/guides/quickstart
  interactive API reference                  ${publicUrl}/docs

`;
}
