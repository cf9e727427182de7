import { permissions } from '../../server/domain/partners/provisioning.ts';
import type { TestApp } from './app.ts';

/**
 * A production account, whose orders can be shipped and delivered. Its units are in stock on creation of their
 * document, as in UAT accounts.
 */
export const live = {
  accountNo: 'LIVE',
  secret: 'live-secret-of-thirty-two-characters-or-more',
  warehouseTpwId: 'TPW-LIVE',
  clientId: 'live-wms',
  checkValue: 'live-check-value-of-thirty-two-characters-or-more',
  apiKey: 'live-api-key-of-thirty-two-characters-or-more',
  callbackSecret: 'whsec_bGl2ZS1jYWxsYmFjay1zZWNyZXQtZm9yLXRlc3Rz',
};

export async function provisionLive(app: TestApp): Promise<void> {
  const place = { warehouse_no: 1, store_no: 10, receiving: 'on_create' as const };
  await app.provision({
    accounts: [
      {
        account_no: live.accountNo,
        environment: 'production',
        secret: live.secret,
        tenants: [{ warehouse_tpw_id: live.warehouseTpwId, ...place }],
      },
    ],
    clients: [
      {
        client_id: live.clientId,
        check_value: live.checkValue,
        account_no: live.accountNo,
        permissions: [...permissions],
      },
    ],
    logistics_keys: [
      { name: 'wms', key: live.apiKey, account_no: live.accountNo, callback_secret: live.callbackSecret, ...place },
    ],
  });
}
