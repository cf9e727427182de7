import * as client from 'openid-client';
import type { Clock } from '../clock.ts';
import { makeBoundedFetch } from './bounded-fetch.ts';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  /** null: a public client. */
  clientSecret: string | null;
  scopes: string;
}

/** The values of a sign-in that has begun. The browser returns `state`; the others verify the response of the provider. */
export interface OidcAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export type OidcFailure = { kind: 'unreachable' | 'refused'; detail: string };
export type OidcClaims = Record<string, unknown> & { iss: string; sub: string };

/** Signs people in at an identity provider: authorization code flow with PKCE, state and nonce. */
export interface OidcClient {
  begin(redirectUri: string): Promise<{ kind: 'begun'; url: string; attempt: OidcAttempt } | OidcFailure>;
  /** `returned` is the address to which the provider sent the browser back. */
  finish(returned: URL, attempt: OidcAttempt): Promise<{ kind: 'finished'; claims: OidcClaims } | OidcFailure>;
}

const timeoutMs = 10_000;
const responseMaxBytes = 1_048_576;
/** Afterwards the addresses and keys of the provider are read again. */
const discoveryKeptMs = 3_600_000;
/** The clocks of both servers may differ by this much. */
const toleranceSeconds = 30;
const detailLengthMax = 200;

export function makeOidcClient(settings: OidcSettings, clock: Clock): OidcClient {
  let known: { atMs: number; found: Promise<client.ServerMetadata> } | null = null;

  /** A failed discovery is not kept: the next sign-in tries again. */
  function discovered(): Promise<client.ServerMetadata> {
    if (known !== null && performance.now() - known.atMs < discoveryKeptMs) return known.found;
    const found = discover(settings);
    known = { atMs: performance.now(), found };
    found.catch(() => {
      known = null;
    });
    return found;
  }

  return {
    async begin(redirectUri) {
      try {
        const config = configure(await discovered(), settings, clock);
        const attempt = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          codeVerifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: settings.scopes,
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(attempt.codeVerifier),
          code_challenge_method: 'S256',
        });
        return { kind: 'begun', url: url.href, attempt };
      } catch (error) {
        return failureOf(error);
      }
    },
    async finish(returned, { state, nonce, codeVerifier }) {
      try {
        const config = configure(await discovered(), settings, clock);
        const tokens = await client.authorizationCodeGrant(config, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        return { kind: 'finished', claims: tokens.claims()! as OidcClaims };
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

const boundedFetch = makeBoundedFetch({ bytesMax: responseMaxBytes, timeoutMs }) as client.CustomFetch;

async function discover({ issuer, clientId }: OidcSettings): Promise<client.ServerMetadata> {
  const config = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    timeout: timeoutMs / 1000,
    [client.customFetch]: boundedFetch,
    execute: isLoopback(issuer) ? [client.allowInsecureRequests] : [],
  });
  return config.serverMetadata();
}

/** Made for each attempt: it has the present time of our clock, and reads the present keys of the provider. */
function configure(
  server: client.ServerMetadata,
  { issuer, clientId, clientSecret }: OidcSettings,
  clock: Clock,
): client.Configuration {
  const metadata = {
    [client.clockTolerance]: toleranceSeconds,
    [client.clockSkew]: Math.round((clock.now().getTime() - Date.now()) / 1000),
  };
  const proof = clientSecret === null ? client.None() : client.ClientSecretPost(clientSecret);
  const config = new client.Configuration(server, clientId, metadata, proof);
  config.timeout = timeoutMs / 1000;
  config[client.customFetch] = boundedFetch;
  // The token comes from the provider itself, but a TLS proxy may be in between: its signature counts as well.
  client.enableNonRepudiationChecks(config);
  if (isLoopback(issuer)) client.allowInsecureRequests(config);
  return config;
}

/** The settings accept http for this machine only. */
function isLoopback(issuer: string): boolean {
  return issuer.startsWith('http:');
}

/** Errors of the network have no response of the provider in them. */
function failureOf(error: unknown): OidcFailure {
  const { name, message, code, cause } = error as Error & {
    code?: string;
    cause?: { code?: string; message?: string };
  };
  const isNetwork = error instanceof TypeError || /^(AbortError|TimeoutError)$/.test(name) || code === 'OAUTH_TIMEOUT';
  const isBadStatus = code === 'OAUTH_RESPONSE_IS_NOT_CONFORM';
  const detail = [message, code, cause?.code].filter(Boolean).join(', ').slice(0, detailLengthMax);
  return { kind: isNetwork || isBadStatus ? 'unreachable' : 'refused', detail };
}
