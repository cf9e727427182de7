import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** A person at the identity provider. */
export interface Person {
  preferred_username?: string;
  roles: string[];
}

const clientId = 'lading';
export const clientSecret = 'the secret of lading at the identity provider';

/** The settings of a service that uses the provider. */
export function oidcSettings(issuer: string): Record<string, string> {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_NAME: 'Acme ID',
    OIDC_ADMIN_ROLES: 'lading-admins',
    OIDC_STAFF_ROLES: 'pickers',
    OIDC_READ_ONLY_ROLES: 'auditors',
  };
}

/** `oidc-provider` on a port of this machine, with a page on which anybody may sign in under any of the names. */
export async function startIdentityProvider(redirectUri: string, people: Record<string, Person>) {
  const { default: Provider } = await import('oidc-provider');
  const { server, url } = await listen();
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const provider = new Provider(url, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'one' }] },
    cookies: { keys: ['a key for the cookies of the provider'] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'roles'], email: ['email'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    ttl: { AuthorizationCode: 60, IdToken: 3600, AccessToken: 3600, Grant: 3600, Interaction: 3600, Session: 3600 },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people[id] }),
    }),
    features: { devInteractions: { enabled: true } },
  });
  server.on('request', provider.callback());
  return { url, people };
}

/** Claims that a dishonest or broken provider puts into its token. */
export interface Lie {
  claims?: JWTPayload;
  algorithm?: 'none' | 'other key';
  /** Does not send back the nonce that it was given. */
  nonce?: string;
}

/** A provider that issues a token at once, with the lie that the test sets. */
export async function startLyingProvider() {
  const { server, url } = await listen();
  const [own, other] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
  const jwk = { ...(await exportJWK(own.publicKey)), alg: 'ES256', use: 'sig', kid: 'one' };
  const state = { lie: {} as Lie, nonce: '', url };

  async function idToken(): Promise<string> {
    const { lie } = state;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: url, sub: 'liar', aud: clientId, iat: now, exp: now + 300, nonce: lie.nonce ?? state.nonce };
    const payload = { ...claims, preferred_username: 'liar', roles: ['lading-admins'], ...lie.claims };
    if (lie.algorithm === 'none') {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none' })}.${part(payload)}.`;
    }
    const key = lie.algorithm === 'other key' ? other.privateKey : own.privateKey;
    return await new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(key);
  }

  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url!.split('?')[0];
    const documents: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256', 'none'],
      }),
      '/jwks': () => ({ keys: [jwk] }),
      '/token': async () => ({ access_token: 'x', token_type: 'Bearer', id_token: await idToken() }),
    };
    const body = JSON.stringify((await documents[path!]?.()) ?? {});
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  return state;
}

async function listen(): Promise<{ server: Server; url: string }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
