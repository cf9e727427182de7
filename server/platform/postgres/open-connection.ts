import type { Socket } from 'node:net';
import { Client, DatabaseError } from 'pg';
import { Connection, ConnectionError, lossBecauseOf } from './connection.ts';
import type { DatabaseHost, Login } from './connection-target.ts';
import { attemptsOf, explainHandshake, explainRejectedLogin } from './connection-tls.ts';
import { openSocket } from './open-socket.ts';
import { parserOf } from './wire-types.ts';

export interface ConnectionOptions {
  server: DatabaseHost;
  login: Login;
  settings: Record<string, string | number>;
  onNotified?: (payload: string) => void;
}

/** The code of PostgreSQL for a login that pg_hba.conf does not allow, perhaps because of its encryption. */
const notAllowed = '28000';

/** Opens a connection to one server, with the encryption that the login asks for. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const attempts = attemptsOf[options.login.tls.mode];
  for (const [index, attempt] of attempts.entries()) {
    try {
      return await openOnce(options, attempt);
    } catch (error) {
      const mayTryNext = isAboutEncryption(error) && index + 1 < attempts.length;
      if (!mayTryNext) throw explainLogin(error as Error);
    }
  }
  throw new Error('every mode has an attempt');
}

function isAboutEncryption(error: unknown): boolean {
  return error instanceof ConnectionError
    ? error.code === 'TLS'
    : error instanceof DatabaseError && error.code === notAllowed;
}

function explainLogin(error: Error): Error {
  if (!(error instanceof DatabaseError) || error.code !== notAllowed) return error;
  const reason = explainRejectedLogin(error.message);
  return reason === null ? error : new ConnectionError('TLS', reason, { cause: error });
}

async function openOnce(options: ConnectionOptions, attempt: 'plain' | 'encrypted'): Promise<Connection> {
  const { server, login } = options;
  const giveUp = new AbortController();
  const late = new ConnectionError('CONNECT_TIMEOUT', 'the database did not accept a connection in time');
  const timer = setTimeout(() => giveUp.abort(late), login.connectWithinMs);
  try {
    const socket = await openSocket(server, login.tls, attempt, giveUp.signal);
    return await logIn(options, socket, giveUp.signal);
  } catch (error) {
    if (giveUp.signal.aborted) throw late;
    throw error instanceof DatabaseError || error instanceof ConnectionError ? error : lossBecauseOf(error as Error);
  } finally {
    clearTimeout(timer);
  }
}

async function logIn(options: ConnectionOptions, socket: Socket, giveUp: AbortSignal): Promise<Connection> {
  const client = makeClient(options, socket);
  // The server may close the connection in the same moment in which it is open.
  const connection = new Connection(client);
  if (options.onNotified) {
    const { onNotified } = options;
    client.on('notification', ({ payload }) => onNotified(payload ?? ''));
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abandon = () => reject(giveUp.reason);
  giveUp.addEventListener('abort', abandon, { once: true });
  client.connect((error: Error | null) => (error ? reject(error) : resolve()));
  try {
    await promise;
    return connection;
  } catch (error) {
    connection.destroy();
    throw explainAlert(error as Error);
  } finally {
    giveUp.removeEventListener('abort', abandon);
  }
}

/** With TLS 1.3 a server rejects a client certificate after the handshake. */
function explainAlert(error: NodeJS.ErrnoException): Error {
  if (!error.code?.startsWith('ERR_SSL_')) return error;
  return new ConnectionError('TLS', explainHandshake(error), { cause: error });
}

/** pg sends only some settings by itself. */
class ClientWithSettings extends Client {
  private readonly startup: Record<string, string>;

  constructor(config: ConstructorParameters<typeof Client>[0], startup: Record<string, string>) {
    super(config);
    this.startup = startup;
  }

  getStartupConf(): Record<string, string> {
    return this.startup;
  }
}

function makeClient({ server, login, settings }: ConnectionOptions, socket: Socket): Client {
  const { user, password, database } = login;
  const startup = { user, database, ...settings, ...login.settings };
  return new ClientWithSettings(
    {
      host: server.host,
      port: server.port,
      user,
      password,
      database,
      ssl: false,
      stream: () => alreadyConnected(socket),
      pipeline: true,
      types: { getTypeParser: parserOf as never },
    },
    Object.fromEntries(Object.entries(startup).map(([name, value]) => [name, String(value)])),
  );
}

/** pg connects the stream that it is given, and begins when it reports that. */
function alreadyConnected(socket: Socket): Socket {
  return Object.assign(socket, {
    connect() {
      process.nextTick(() => socket.emit('connect'));
      return socket;
    },
  });
}
