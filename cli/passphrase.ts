import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Config } from '../server/config.ts';
import { mistakeInPassphrase } from '../server/platform/postgres/backup/sealed-keys.ts';
import { exitCodes, Failure } from './command-line.ts';
import { readSecretFile } from './input-file.ts';

export interface PassphraseOptions {
  passphraseFile?: string;
  withoutMasterKey?: boolean;
}

const ways =
  'give its passphrase with --passphrase-file or in BACKUP_PASSPHRASE (or BACKUP_PASSPHRASE_FILE), or leave it out with --without-master-key';

/** The passphrase that seals the master key; null if the key is left out. There is no default: the operator decides. */
export async function passphraseForBackup(options: PassphraseOptions, config: Config): Promise<string | null> {
  if (options.withoutMasterKey && options.passphraseFile !== undefined)
    throw new Failure(exitCodes.wrongUsage, '--without-master-key and --passphrase-file exclude each other');
  if (options.withoutMasterKey) return null;
  const given = passphraseGiven(options, config);
  if (given === null && config.backupMasterKey === 'exclude') return null;
  const passphrase = given ?? (await askTwice());
  const mistake = mistakeInPassphrase(passphrase);
  if (mistake) throw new Failure(exitCodes.wrongUsage, `the passphrase ${mistake}`);
  return passphrase;
}

/** The passphrase that opens the master key of a backup. */
export async function passphraseForRestore(options: PassphraseOptions, config: Config): Promise<string> {
  const given = passphraseGiven(options, config);
  if (given !== null) return given;
  if (process.stdin.isTTY) return await ask('Passphrase of the backup: ');
  throw new Failure(exitCodes.wrongUsage, `the master key in this backup is sealed: ${ways}`);
}

function passphraseGiven({ passphraseFile }: PassphraseOptions, config: Config): string | null {
  return passphraseFile === undefined ? config.backupPassphrase : readSecretFile(passphraseFile);
}

async function askTwice(): Promise<string> {
  if (!process.stdin.isTTY) throw new Failure(exitCodes.wrongUsage, `say what happens to the master key: ${ways}`);
  const passphrase = await ask('Passphrase for the master key in this backup: ');
  if ((await ask('The same again: ')) !== passphrase)
    throw new Failure(exitCodes.wrongUsage, 'the two passphrases differ');
  return passphrase;
}

/** Asks on the terminal and shows nothing of the answer. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Ctrl-C would otherwise only close the terminal, and the command would wait.
  terminal.once('SIGINT', () => process.exit(exitCodes.refused));
  try {
    return (await terminal.question('')).trim();
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
