import { AccessToken } from '../sdk/access-token.ts';
import { LadingError, signRequest } from '../sdk/client.ts';
import type { Config } from '../server/config.ts';
import { exitCodes, Failure } from './command-line.ts';
import type { DemoCredentials } from './demo-credentials.ts';
import { cutShort } from './demo-layout.ts';
import { readSecretFile } from './input-file.ts';
import { secretOf } from './sign.ts';

/** The options of `lading call` that identify the caller. */
export interface CredentialOptions {
  account?: string;
  secretFile?: string;
  client?: string;
  checkValueFile?: string;
  tokenFile?: string;
  keyFile?: string;
}

/** The headers that identify the caller; `shown` contains them with truncated secrets. */
export interface Credentials {
  headers: Record<string, string>;
  shown: Record<string, string>;
}

export interface CalledRequest {
  body: Buffer;
  address: string;
  /** For requests to this machine's own service that name no other credentials. */
  demo: DemoCredentials | null;
}

export interface CalledContract {
  called: string;
  /** No credentials are needed, or they are in the body. */
  isOpen: boolean;
  /** The options that this API accepts. */
  options: (keyof CredentialOptions)[];
  needs: string;
  /** Returns null if an option is missing. */
  credentials(options: CredentialOptions, request: CalledRequest): Promise<Credentials | null>;
}

const noCredentials: Credentials = { headers: {}, shown: {} };

const open: CalledContract = {
  called: 'the public endpoints',
  isOpen: true,
  options: [],
  needs: '',
  credentials: async () => noCredentials,
};

const warehouse: CalledContract = {
  called: 'the warehouse API',
  isOpen: false,
  options: ['account', 'secretFile'],
  needs: '--account NUMBER, and --secret-file FILE if its secret is not in the local database',
  async credentials({ account: named, secretFile }, { body, demo }) {
    const account = named ?? demo?.LADING_ACCOUNT_NO;
    if (account === undefined) return null;
    const secret =
      named === undefined && secretFile === undefined
        ? demo!.LADING_SECRET
        : await secretOf({ account, ...(secretFile === undefined ? {} : { secretFile }) });
    const headers = signRequest({ accountNo: account, secret, body });
    return { headers, shown: headers };
  },
};

const main: CalledContract = {
  called: 'the main API',
  isOpen: false,
  options: ['client', 'checkValueFile', 'tokenFile'],
  needs: '--client ID with --check-value-file FILE, or --token-file FILE',
  async credentials({ client, checkValueFile, tokenFile }, { address, demo }) {
    if (tokenFile !== undefined) return bearer(readSecretFile(tokenFile));
    if (demo && checkValueFile === undefined && (client ?? demo.LADING_CLIENT_ID) === demo.LADING_CLIENT_ID)
      return bearer(await getToken(address, demo.LADING_CLIENT_ID, demo.LADING_CHECK_VALUE));
    if (client === undefined || checkValueFile === undefined) return null;
    return bearer(await getToken(address, client, readSecretFile(checkValueFile)));
  },
};

const logistics: CalledContract = {
  called: 'the logistics webhook',
  isOpen: false,
  options: ['keyFile'],
  needs: '--key-file FILE',
  async credentials({ keyFile }, { demo }) {
    const key = keyFile === undefined ? demo?.LADING_API_KEY : readSecretFile(keyFile);
    if (key === undefined) return null;
    return { headers: { authorization: key }, shown: { authorization: cutShort(key) } };
  },
};

/** The API to which a path belongs. */
export function contractOf(path: string, { warehouseBasePath, logisticsSegment }: Config): CalledContract {
  const contracts: [prefix: string, contract: CalledContract][] = [
    [`${warehouseBasePath}/`, warehouse],
    [`/${logisticsSegment}/`, logistics],
    ['/api/v2/', main],
  ];
  return contracts.find(([prefix]) => path.startsWith(prefix))?.[1] ?? open;
}

export async function credentialsFor(
  contract: CalledContract,
  options: CredentialOptions,
  request: CalledRequest & { path: string },
): Promise<Credentials> {
  const { path } = request;
  const foreign = optionNames.find(([name]) => options[name] !== undefined && !contract.options.includes(name));
  if (foreign)
    throw new Failure(
      exitCodes.wrongUsage,
      `${foreign[1]} cannot be used with ${path}, which belongs to ${contract.called}`,
    );
  const credentials = await contract.credentials(options, request);
  if (!credentials)
    throw new Failure(exitCodes.wrongUsage, `${path} belongs to ${contract.called}, which requires ${contract.needs}`);
  return credentials;
}

const optionNames: [name: keyof CredentialOptions, option: string][] = [
  ['account', '--account'],
  ['secretFile', '--secret-file'],
  ['client', '--client'],
  ['checkValueFile', '--check-value-file'],
  ['tokenFile', '--token-file'],
  ['keyFile', '--key-file'],
];

function bearer(token: string): Credentials {
  return { headers: { authorization: `Bearer ${token}` }, shown: { authorization: `Bearer ${cutShort(token)}` } };
}

async function getToken(url: string, clientId: string, checkValue: string): Promise<string> {
  try {
    return await new AccessToken({ url, clientId, checkValue, retriesMax: 0 }).current();
  } catch (error) {
    if (!(error instanceof LadingError)) throw error;
    const { status, reason, trace_id } = error;
    if (status === null) throw new Failure(exitCodes.cannotRun, `${reason}; is the service running there?`);
    const hint = trace_id === null ? [] : [`npx lading doctor ${trace_id}`];
    throw new Failure(exitCodes.refused, `could not get an access token for ${clientId}: ${reason}`, hint);
  }
}
