import { type SecretKind, secretKinds } from '../domain/partners/secret.ts';

const accessToken = 'an access token of the main API';
const otherForms: [pattern: RegExp, called: string][] = [
  ...Object.values(secretKinds).map(({ prefix, called }): [RegExp, string] => [new RegExp(`^${prefix}`), withArticle(called)]),
  [/^eyJ[\w-]*\.[\w-]+\.[\w-]+$/, accessToken],
];

/** The reason, for the request log, of a secret that does not fit; its form tells where one of another kind was given, and not what it is. */
export function withKindOf(given: string, wanted: SecretKind | 'access_token', reason: string): string {
  const called = otherForms.find(([pattern]) => pattern.test(given))?.[1];
  const wantedCalled = wanted === 'access_token' ? accessToken : withArticle(secretKinds[wanted].called);
  return called === undefined || called === wantedCalled ? reason : `${reason}; what came looks like ${called}, not ${wantedCalled}`;
}

function withArticle(called: string): string {
  return `${/^[aeiou]/.test(called) ? 'an' : 'a'} ${called}`;
}
