import { readGuide } from './guide.ts';

interface Vector {
  name: string;
  why: string;
  /** Unix seconds at which it is looked at. */
  now: number;
  timestamp: string;
  body?: string;
  body_base64?: string;
  headers: [name: string, value: string][];
  valid: boolean;
  reason: string | null;
}

export interface RequestVector extends Vector {
  secret: string;
  sign: string;
}

export interface CallbackVector extends Vector {
  secrets: string[];
  id: string;
  signed_by: string[];
  signatures: string[];
}

export const requestVectors = casesOf<RequestVector>('vectors/request-signatures.json');
export const callbackVectors = casesOf<CallbackVector>('vectors/callback-signatures.json');

function casesOf<T>(file: string): T[] {
  return (JSON.parse(readGuide(file)) as { cases: T[] }).cases;
}

export function bodyOf({ body, body_base64 }: Vector): Buffer {
  return body_base64 === undefined ? Buffer.from(body!) : Buffer.from(body_base64, 'base64');
}
