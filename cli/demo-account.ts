import type { Config } from '../server/config.ts';
import type { IssuedSecret } from '../server/domain/partners/apply-provisioning.ts';
import { type Provisioning, permissions } from '../server/domain/partners/provisioning.ts';

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

export function demoBanner(issued: IssuedSecret[], { warehouseBasePath, port, dataDir, publicUrl }: Config): string {
  const secret = (kind: IssuedSecret['kind']) => issued.find((one) => one.kind === kind)!.value;
  const settings = [dataDir === null ? '' : `DATA_DIR='${dataDir}' `, port === 8080 ? '' : `PORT=${port} `].join('');
  const body = '{"sku_id":"TEA-1","sku_name":"Oolong tea","storage_type":1}';
  return `
The database was empty, so a demo account was created. Its credentials are shown only once:

  warehouse API   account-no        DEMO
                  shared secret     ${secret('account_secret')}
                  warehouse_tpw_id  TPW-DEMO
  main API        ClientId          demo
                  CheckValue        ${secret('check_value')}
  logistics       API key           ${secret('logistics_key')}
                  callback secret   ${secret('callback_secret')}
  operator        username          demo
                  password          ${secret('operator_password')}

Try a signed request from another terminal, in this folder:

  ${settings}npx lading call ${warehouseBasePath}/product/sync '${body}' --account DEMO

Log in to the console as the operator: ${publicUrl}/console

README.md continues from here to a first order. For partner developers:

  quickstart: a first order from a program   ${publicUrl}/docs/guides/quickstart
  interactive API reference                  ${publicUrl}/docs

`;
}
