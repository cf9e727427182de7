import { keepSecret, type SecretKind } from '../../server/domain/partners/secret.ts';
import type { TestApp } from './app.ts';

/** Replaces a secret by one that an earlier version accepted, before there were rules. */
export async function storeWeakSecret(
  { store }: Pick<TestApp, 'store'>,
  kind: SecretKind,
  owner: string,
  value: string,
): Promise<void> {
  const { sealed, digest, password_hash } = await keepSecret(store.keyring, kind, owner, value);
  await store.database.transaction(
    (tx) => tx`
      update secret set sealed = ${sealed}, digest = ${digest}, password_hash = ${password_hash}, weak = null
      where kind = ${kind} and owner = ${owner} and valid_until is null`,
  );
}
