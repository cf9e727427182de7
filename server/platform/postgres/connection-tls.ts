import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { getCACertificates, type ConnectionOptions as TlsOptions } from 'node:tls';
import { type ConnectionParameters, ConnectionStringMistake } from './connection-string.ts';

/** How a connection is encrypted. */
export interface Tls {
  mode: SslMode;
  options: TlsOptions;
}

export const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof sslModes)[number];

export const withoutTls: Tls = { mode: 'disable', options: {} };

/** The kinds of connections that a mode tries, in this order, as in libpq. */
export const attemptsOf: Record<SslMode, readonly ('plain' | 'encrypted')[]> = {
  disable: ['plain'],
  allow: ['plain', 'encrypted'],
  prefer: ['encrypted', 'plain'],
  require: ['encrypted'],
  'verify-ca': ['encrypted'],
  'verify-full': ['encrypted'],
};

/** Reads the files now, because the service may not be allowed to read them after it has given up root. */
export function readTls(parameters: ConnectionParameters): Tls {
  const mode = readMode(parameters);
  if (mode === 'disable') return withoutTls;
  return { mode, options: { ...readTrust(mode, parameters.sslrootcert), ...readClientCertificate(parameters) } };
}

function readMode({ sslmode, sslrootcert }: ConnectionParameters): SslMode {
  const mode = (sslmode ?? (sslrootcert === 'system' ? 'verify-full' : 'prefer')) as SslMode;
  if (!sslModes.includes(mode)) throw new ConnectionStringMistake(`has a wrong sslmode: use ${sslModes.join(', ')}`);
  if (sslrootcert === 'system' && mode !== 'verify-full')
    throw new ConnectionStringMistake('has sslrootcert=system, which needs sslmode=verify-full');
  if (mode.startsWith('verify') && sslrootcert === undefined) {
    throw new ConnectionStringMistake(
      `has sslmode=${mode} without sslrootcert: name the file with the certificates of the authorities, or use sslrootcert=system with verify-full`,
    );
  }
  return mode;
}

/** Follows libpq: known authorities are used to verify in every mode, and only verify-full compares the host name. */
function readTrust(mode: SslMode, rootFile: string | undefined): TlsOptions {
  if (rootFile === undefined) return { rejectUnauthorized: false };
  const ca = rootFile === 'system' ? getCACertificates('system') : readCertificates('sslrootcert', rootFile);
  return mode === 'verify-full' ? { ca } : { ca, checkServerIdentity: () => undefined };
}

function readClientCertificate({ sslcert, sslkey, sslpassword }: ConnectionParameters): TlsOptions {
  if (sslcert === undefined && sslkey === undefined) return {};
  if (sslcert === undefined || sslkey === undefined)
    throw new ConnectionStringMistake('has only one of sslcert and sslkey: a client certificate needs both');
  const [first, ...others] = readCertificates('sslcert', sslcert);
  refuseExposedKey(sslkey);
  const pem = readNamedFile('sslkey', sslkey);
  let key: ReturnType<typeof createPrivateKey>;
  try {
    key = createPrivateKey({
      key: pem,
      format: 'pem',
      ...(sslpassword === undefined ? {} : { passphrase: sslpassword }),
    });
  } catch {
    throw new ConnectionStringMistake('has an sslkey that holds no private key, or that sslpassword does not open');
  }
  if (!new X509Certificate(first!).checkPrivateKey(key))
    throw new ConnectionStringMistake('has an sslkey that does not belong to the certificate in sslcert');
  return { cert: [first, ...others].join('\n'), key: key.export({ type: 'pkcs8', format: 'pem' }) as string };
}

/** The rule of libpq: a key of root may be readable by a group, any other key only by its owner. */
function refuseExposedKey(path: string): void {
  const { mode, uid } = statNamedFile('sslkey', path);
  if ((mode & (uid === 0 ? 0o037 : 0o077)) === 0) return;
  throw new ConnectionStringMistake(
    'has an sslkey that others may read: its mode must be 0600, or 0640 if it belongs to root',
  );
}

const certificateForm = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function readCertificates(parameter: string, path: string): string[] {
  const certificates = readNamedFile(parameter, path).match(certificateForm) ?? [];
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch {
    throw new ConnectionStringMistake(`has an ${parameter} with a certificate that cannot be read`);
  }
  if (certificates.length === 0)
    throw new ConnectionStringMistake(`has an ${parameter} that holds no certificate in the PEM format`);
  return certificates;
}

function readNamedFile(parameter: string, path: string): string {
  return orMistake(parameter, () => readFileSync(path, 'utf8'));
}

function statNamedFile(parameter: string, path: string) {
  return orMistake(parameter, () => statSync(path));
}

function orMistake<T>(parameter: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    throw new ConnectionStringMistake(`has an ${parameter} that cannot be read (${code})`);
  }
}

const unknownAuthority = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
];

/** Why a handshake failed, for people. Names no hosts, because readiness is public. */
export function explainHandshake({ code = 'unknown error' }: NodeJS.ErrnoException): string {
  if (unknownAuthority.includes(code))
    return 'TLS: no authority in sslrootcert has signed the certificate of the database server';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'TLS: the certificate of the database server has another host name, and sslmode is verify-full';
  if (code === 'CERT_HAS_EXPIRED') return 'TLS: the certificate of the database server has expired';
  if (code === 'CERT_NOT_YET_VALID') return 'TLS: the certificate of the database server is not valid yet';
  if (/ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED|DECRYPT_ERROR)/.test(code))
    return 'TLS: the database server rejects the client certificate in sslcert';
  return `TLS: the handshake with the database server failed (${code})`;
}

export function explainNotOffered(mode: SslMode): string {
  return `TLS: the database server does not offer it, and sslmode is ${mode}`;
}

/** Why the server rejected a login, if TLS is the reason. A server that translates its messages leaves it unknown. */
export function explainRejectedLogin(message: string): string | null {
  if (/valid client certificate/.test(message))
    return 'TLS: the database server requires a client certificate (sslcert and sslkey)';
  if (/no pg_hba\.conf entry.*no encryption$/s.test(message))
    return 'TLS: the database server accepts no login without encryption: check sslmode';
  return null;
}
