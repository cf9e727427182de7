import type { Keyring } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { openSecret } from './secret.ts';
import { validSecrets } from './secret-queries.ts';

const webhookPrefix = 'whsec_';

/**
 * The secrets that sign requests to a warehouse, in the format of Standard Webhooks: the current one first, during a
 * rotation also the previous one. A secret that is not `whsec_` and base64 is used as its bytes. Throws
 * UnknownMasterKey if only other nodes can open it.
 */
export async function connectorSecretsOf(database: Database, keyring: Keyring, warehouseNo: number): Promise<string[]> {
  const owner = String(warehouseNo);
  const kept = await database.read(noAccounts, (sql) => validSecrets(sql, 'connector_secret', owner));
  return kept.map((one) => asWebhookSecret(openSecret(keyring, 'connector_secret', owner, one)));
}

function asWebhookSecret(secret: string): string {
  return secret.startsWith(webhookPrefix) ? secret : webhookPrefix + Buffer.from(secret).toString('base64');
}
