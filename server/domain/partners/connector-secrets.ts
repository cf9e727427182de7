import type { Database } from '../../platform/database.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { openSecret } from './secret.ts';
import { validSecrets } from './secret-queries.ts';

const webhookPrefix = 'whsec_';

/**
 * What posts to a warehouse are signed with, in the form of Standard Webhooks: the current secret first; during a rotation also the one before.
 * One that is not `whsec_` and base64 is a key by its bytes. Throws UnknownMasterKey where only other nodes can open it.
 */
export async function connectorSecretsOf(database: Database, keyring: Keyring, warehouseNo: number): Promise<string[]> {
  const owner = String(warehouseNo);
  const kept = await database.read((sql) => validSecrets(sql, 'connector_secret', owner));
  return kept.map((one) => asWebhookSecret(openSecret(keyring, 'connector_secret', owner, one)));
}

function asWebhookSecret(secret: string): string {
  return secret.startsWith(webhookPrefix) ? secret : webhookPrefix + Buffer.from(secret).toString('base64');
}
