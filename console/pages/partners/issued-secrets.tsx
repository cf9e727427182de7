import { Text } from '@mantine/core';
import type { IssuedSecret } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { SecretOnce } from '../../kit/secret-once.tsx';
import { words } from './words.ts';

/** Shows new secrets one after the other, each only once. */
export function IssuedSecrets({ secrets, onClose }: { secrets: IssuedSecret[]; onClose(rest: IssuedSecret[]): void }) {
  const say = useWords(words);
  const [secret, ...rest] = secrets;
  const what = secret ? say.secretName[secret.kind] : '';
  return (
    <SecretOnce
      secret={secret?.value ?? null}
      title={secret ? say.secretOf(what, secret.owner) : ''}
      label={what}
      onClose={() => onClose(rest)}
    >
      {secret && <Text size="sm">{say.secretUse[secret.kind]}</Text>}
    </SecretOnce>
  );
}
