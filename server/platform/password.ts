import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify(argon2);

/** OWASP's recommended parameters for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const hashBytes = 32;

/**
 * Uses the standard format `$argon2id$v=19$m=..,t=..,p=..$salt$hash`, so that old hashes still verify after the cost is
 * raised.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await argon2id(password, salt, cost, hashBytes);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(hash)}`;
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(stored);
  if (!parts) return false;
  const [, memory, passes, parallelism, salt, hash] = parts;
  const expected = Buffer.from(hash!, 'base64');
  const storedCost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  try {
    return timingSafeEqual(
      await argon2id(password, Buffer.from(salt!, 'base64'), storedCost, expected.length),
      expected,
    );
  } catch {
    // No password matches an invalid hash.
    return false;
  }
}

async function argon2id(
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism }: typeof cost,
  tagLength: number,
): Promise<Buffer> {
  return await argon2Async('argon2id', { message: password, nonce, memory, passes, parallelism, tagLength });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
