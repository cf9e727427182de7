import { type SecretKind, secretKinds } from '../domain/partners/secret.ts';

const accessToken = 'an access token of the main API';
const otherForms: [pattern: RegExp, called: string][] = [
  ...Object.values(secretKinds).map(({ prefix, called }): [RegExp, string] => [new RegExp(`^${prefix}`), withArticle(called)]),
  [/^eyJ[\w-]*\.[\w-]+\.[\w-]+$/, accessToken],
];

/** What a secret of another kind than the wanted one looks like, with both kinds named; null where nothing can be told from its form. */
export function otherKind(given: string, wanted: SecretKind | 'access_token'): string | null {
  const called = otherForms.find(([pattern]) => pattern.test(given))?.[1];
  const wantedCalled = wanted === 'access_token' ? accessToken : withArticle(secretKinds[wanted].called);
  return called === undefined || called === wantedCalled ? null : `${called}, not ${wantedCalled}`;
}

/** The reason, for the request log, of a secret that does not fit; its form tells where one of another kind was given, and not what it is. */
export function withKindOf(given: string, wanted: SecretKind | 'access_token', reason: string): string {
  const other = otherKind(given, wanted);
  return other === null ? reason : `${reason}; what came looks like ${other}`;
}

function withArticle(called: string): string {
  return `${/^[aeiou]/.test(called) ? 'an' : 'a'} ${called}`;
}
