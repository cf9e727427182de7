import { chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../server/config.ts';
import { type ResealOutcome, resealSecrets } from '../server/domain/master-key/reseal-secrets.ts';
import { masterKeyFile, nextMasterKeyFile, openStore, readMasterKey } from '../server/open-store.ts';
import { makeKeyring } from '../server/platform/keyring.ts';
import { defaultDataDir } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { syncFolder } from '../server/platform/secret-file.ts';
import { parseMasterKey } from '../server/setting-values.ts';
import { userName } from './apply-file.ts';
import { configOrFail, exitCodes, Failure, makeCommand } from './command-line.ts';
import { readSecretFile } from './input-file.ts';
import { makeProgress } from './progress.ts';
import { type CommandResult, printResult } from './store-command.ts';

interface ResealOptions {
  newKeyFile?: string;
}

/** `lading reseal`: encrypts all secrets under a new master key. */
export function resealCommand() {
  return makeCommand('reseal')
    .description('encrypt all secrets in the database under a new master key')
    .option('--new-key-file <file>', 'the new key for DATA_DIR/master.key (default: a random one)')
    .addHelpText(
      'after',
      '\nWith MASTER_KEY: give the new key there and the former one as MASTER_KEY_PREVIOUS, first to all nodes, then here.\n' +
        'With the key in DATA_DIR/master.key: stop the service first; the file is replaced.\n',
    )
    .action(async (options: ResealOptions, command: Command) => {
      const config = configOrFail();
      printResult(
        config.masterKey === null ? await resealKeyFile(config, options) : await resealKey(config, options),
        command,
      );
    });
}

async function resealKey(config: Config, { newKeyFile }: ResealOptions): Promise<CommandResult> {
  if (newKeyFile !== undefined)
    throw new Failure(
      exitCodes.wrongUsage,
      '--new-key-file is for the key in DATA_DIR/master.key; give the new key as MASTER_KEY, and the former one as MASTER_KEY_PREVIOUS',
    );
  const outcome = await reseal(config, false);
  return resultOf(outcome, makeKeyring(config.masterKey!).currentKeyId, 'MASTER_KEY_PREVIOUS is not needed any more');
}

/**
 * The new key is on disk before the database needs it, and it becomes master.key when no secret needs the former one. A
 * run that was interrupted is finished by the next one, with the same key.
 */
async function resealKeyFile(config: Config, { newKeyFile }: ResealOptions): Promise<CommandResult> {
  const dataDir = resolve(config.dataDir ?? defaultDataDir(process.cwd()));
  const [path, next] = [masterKeyFile(dataDir), nextMasterKeyFile(dataDir)];
  if (!existsSync(path)) throw new Failure(exitCodes.refused, `there is no ${path}, so there is no key to change`);
  const former = readMasterKey(path);
  const given = newKeyFile === undefined ? null : keyFrom(newKeyFile);
  const key = given === null ? readMasterKey(next) : readMasterKey(next, () => given);
  if (given !== null && !key.equals(given))
    throw new Failure(
      exitCodes.refused,
      `an earlier change of the key was interrupted, and its key is in ${next}: finish it without --new-key-file first`,
    );

  const keys = { masterKey: key, masterKeysPrevious: [former, ...config.masterKeysPrevious] };
  const outcome = await reseal({ ...config, ...keys }, true);
  const kept = `${path}.${makeKeyring(former).currentKeyId}`;
  replaceKeyFile({ path, next, kept });
  const advice =
    `the former key is kept in ${kept}: earlier backups need it; move it to a safe place\n` +
    'make a backup now (lading backup): earlier ones do not have the new key';
  return resultOf(outcome, makeKeyring(key).currentKeyId, advice);
}

function keyFrom(file: string): Buffer {
  const key = parseMasterKey(readSecretFile(file));
  if (!key) throw new Failure(exitCodes.wrongUsage, `${file} does not contain 32 bytes in base64`);
  return key;
}

function replaceKeyFile({ path, next, kept }: Record<'path' | 'next' | 'kept', string>): void {
  const { uid, gid } = statSync(path);
  chownSync(next, uid, gid);
  rmSync(kept, { force: true });
  linkSync(path, kept);
  renameSync(next, path);
  syncFolder(resolve(path, '..'));
}

type Resealed = Extract<ResealOutcome, { kind: 'resealed' }>;

async function reseal(config: Config, isKeyFile: boolean): Promise<Resealed> {
  const store = await openStore(
    { ...config, databasePool: 1 },
    { migrations: 'if_embedded', deadlineSeconds: null, onProgress: (line) => process.stderr.write(`${line}\n`) },
  );
  try {
    const outcome = await resealSecrets(store.database, store.keyring, {
      actor: `reseal (${userName()})`,
      onProgress: makeProgress(),
    });
    if (outcome.kind === 'resealed') return outcome;
    throw new Failure(exitCodes.refused, explain(outcome, isKeyFile));
  } finally {
    await store.close();
  }
}

function explain(outcome: Exclude<ResealOutcome, Resealed>, isKeyFile: boolean): string {
  switch (outcome.kind) {
    case 'nodes_with_other_key': {
      const nodes = `${outcome.nodes.join(', ')} (a node that was killed counts for 35 s)`;
      return isKeyFile
        ? `nothing was changed: stop the service first: ${nodes}`
        : `nothing was changed: these nodes do not have the new key as MASTER_KEY: ${nodes}. Restart them with it, and with the former key as MASTER_KEY_PREVIOUS`;
    }
    case 'unreadable':
      return `nothing was changed: these records do not open with their key, so they are damaged: ${outcome.records.join(', ')}`;
    default:
      return outcome satisfies never;
  }
}

function resultOf({ resealed, alreadySealed, retiredKeyIds }: Resealed, keyId: string, advice: string): CommandResult {
  const json = {
    master_key_id: keyId,
    resealed,
    already_sealed: alreadySealed,
    retired_key_ids: retiredKeyIds,
  };
  const done =
    resealed === 0
      ? `all ${alreadySealed} secrets are sealed by master key ${keyId} already`
      : `${resealed} secrets are now sealed by master key ${keyId}`;
  return { json, text: `${done}\n${advice}` };
}
