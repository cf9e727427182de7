import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate with its key, both as PEM. */
export interface TestCertificate {
  certificate: string;
  key: string;
}

export interface TestAuthority extends TestCertificate {
  /** A certificate for these host names and addresses, or for a client if there are none. */
  issue(name: string, hosts?: string[]): TestCertificate;
}

/** A certificate authority for tests. Not every machine has the program openssl, so the encoding (DER) is our own. */
export function makeAuthority(name: string): TestAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const basicConstraints = extension('551d13', sequence(Buffer.from([1, 1, 0xff])));
  const certificate = certify({ name, issuer: name, keys, signedBy: keys.privateKey, extensions: [basicConstraints] });
  return {
    ...certificate,
    issue(subject, hosts = []) {
      const own = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      const extensions = hosts.length > 0 ? [extension('551d11', sequence(...hosts.map(alternativeName)))] : [];
      return certify({ name: subject, issuer: name, keys: own, signedBy: keys.privateKey, extensions });
    },
  };
}

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const utcTime = (text: string) => der(0x17, Buffer.from(text));

function certify(parts: {
  name: string;
  issuer: string;
  keys: { publicKey: KeyObject; privateKey: KeyObject };
  signedBy: KeyObject;
  extensions: Buffer[];
}): TestCertificate {
  const { name, issuer, keys, signedBy, extensions } = parts;
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(utcTime('200101000000Z'), utcTime('490101000000Z')),
    commonName(name),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, signedBy)]);
  const whole = sequence(body, ecdsaWithSha256, der(0x03, signature)).toString('base64');
  // OpenSSL does not accept an empty line at the end.
  const lines = whole.match(/.{1,64}/g)!.join('\n');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value));
}

function alternativeName(host: string): Buffer {
  return isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
}
