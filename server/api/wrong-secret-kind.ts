import type { Message } from '../../messages/message.ts';
import { reason } from '../../messages/reason-texts.ts';
import { type SecretKind, secretKinds } from '../domain/partners/secret.ts';

type Credential = SecretKind | 'access_token';

const forms: [pattern: RegExp, kind: Credential][] = [
  ...Object.entries(secretKinds).map(([kind, { prefix }]): [RegExp, Credential] => [
    new RegExp(`^${prefix}`),
    kind as SecretKind,
  ]),
  [/^eyJ[\w-]*\.[\w-]+\.[\w-]+$/, 'access_token'],
];

/** The kinds of the given and of the wanted secret, if the form of the given one shows that they differ. */
export function wrongSecretKind(given: string, wanted: Credential): { given: Message; wanted: Message } | null {
  const kind = forms.find(([pattern]) => pattern.test(given))?.[1];
  return kind === undefined || kind === wanted ? null : { given: reason(kind), wanted: reason(wanted) };
}

/** Adds to the reason for the request log that a secret of another kind was given; the secret itself is not in it. */
export function withSecretKind(given: string, wanted: Credential, why: Message): Message {
  const other = wrongSecretKind(given, wanted);
  return other === null ? why : reason('other_secret', { reason: why, ...other });
}
