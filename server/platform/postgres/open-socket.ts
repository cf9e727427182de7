import { once } from 'node:events';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ConnectionError } from './connection.ts';
import type { DatabaseHost } from './connection-target.ts';
import { explainHandshake, explainNotOffered, type Tls } from './connection-tls.ts';

const keepAliveAfterMs = 10_000;
/** Asks a PostgreSQL server to continue with TLS. It answers with one byte. */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * A socket to the server, encrypted if that is wanted. pg has its own negotiation, but it gives up the connection if
 * the server does not offer TLS, and its errors do not say that TLS is the cause.
 */
export async function openSocket(
  server: DatabaseHost,
  tls: Tls,
  attempt: 'plain' | 'encrypted',
  giveUp: AbortSignal,
): Promise<Socket> {
  const socket = connectPlain(addressOf(server));
  const abandon = () => socket.destroy();
  giveUp.addEventListener('abort', abandon, { once: true });
  try {
    await once(socket, 'connect', { signal: giveUp });
    // Unix sockets are never encrypted, as in libpq.
    if (attempt === 'plain' || server.host.startsWith('/')) return socket;
    return await encrypt(socket, server, tls, giveUp);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    giveUp.removeEventListener('abort', abandon);
    // Errors between now and the moment at which pg listens end in its 'close' or in the time limit of the caller.
    socket.on('error', () => {});
  }
}

function addressOf({ host, port, address }: DatabaseHost) {
  if (host.startsWith('/')) return { path: `${host}/.s.PGSQL.${port}` };
  return {
    host: address ?? host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveAfterMs,
  };
}

async function encrypt(socket: Socket, server: DatabaseHost, tls: Tls, giveUp: AbortSignal): Promise<Socket> {
  socket.write(sslRequest);
  const offer = await firstBytes(socket, giveUp);
  if (offer === 'N') {
    if (tls.mode === 'prefer') return socket;
    throw new ConnectionError('TLS', explainNotOffered(tls.mode));
  }
  // More than one byte would be text that somebody in between has added before the encryption.
  if (offer !== 'S')
    throw new ConnectionError('TLS', 'TLS: the database server does not understand the request for it');

  const { host } = server;
  const encrypted = connectTls({ ...tls.options, socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
  encrypted.on('error', () => {});
  try {
    await once(encrypted, 'secureConnect', { signal: giveUp });
    return encrypted;
  } catch (error) {
    if (giveUp.aborted) throw error;
    throw new ConnectionError('TLS', explainHandshake(error as NodeJS.ErrnoException), { cause: error });
  }
}

async function firstBytes(socket: Socket, giveUp: AbortSignal): Promise<string> {
  const closed = new AbortController();
  const onClose = () => closed.abort();
  socket.once('close', onClose);
  try {
    const [bytes] = await once(socket, 'data', { signal: AbortSignal.any([giveUp, closed.signal]) });
    return (bytes as Buffer).toString('latin1');
  } catch (error) {
    if (!closed.signal.aborted) throw error;
    throw new ConnectionError('CONNECTION_CLOSED', 'the connection was closed');
  } finally {
    socket.off('close', onClose);
  }
}
