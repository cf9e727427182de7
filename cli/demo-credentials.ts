import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Config } from '../server/config.ts';
import type { IssuedSecret } from '../server/domain/partners/apply-outcome.ts';
import { dataDirOf } from '../server/open-store.ts';

/** The credentials of the demo account. Shells can read the file, and commands use it if they are given no others. */
export interface DemoCredentials {
  LADING_ACCOUNT_NO: string;
  LADING_SECRET: string;
  LADING_CLIENT_ID: string;
  LADING_CHECK_VALUE: string;
  LADING_API_KEY: string;
  LADING_CALLBACK_SECRET: string;
  LADING_OPERATOR: string;
  LADING_PASSWORD: string;
}

export function demoCredentials(issued: IssuedSecret[]): DemoCredentials {
  const secret = (kind: IssuedSecret['kind']) => issued.find((one) => one.kind === kind)!.value;
  return {
    LADING_ACCOUNT_NO: 'DEMO',
    LADING_SECRET: secret('account_secret'),
    LADING_CLIENT_ID: 'demo',
    LADING_CHECK_VALUE: secret('check_value'),
    LADING_API_KEY: secret('logistics_key'),
    LADING_CALLBACK_SECRET: secret('callback_secret'),
    LADING_OPERATOR: 'demo',
    LADING_PASSWORD: secret('operator_password'),
  };
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'demo-credentials.env');
}

/** Only the user who started the service can read the file. Returns its path. */
export function writeDemoCredentials(dataDir: string, credentials: DemoCredentials): string {
  const lines = Object.entries(credentials).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(fileIn(dataDir), lines.join(''), { mode: 0o600 });
  return fileIn(dataDir);
}

/** null: there is no file, this user may not read it, or the commands use another database. */
export function readDemoCredentials(config: Config): DemoCredentials | null {
  if (config.databaseUrl !== null) return null;
  try {
    return parseEnv(readFileSync(fileIn(dataDirOf(config)), 'utf8')) as unknown as DemoCredentials;
  } catch {
    return null;
  }
}
