import { readFileSync } from 'node:fs';
import { applyProvisioningText } from '../server/apply-file.ts';
import { exitCodes, Failure } from '../server/command-line.ts';
import { appliedAnswer, wordApplied } from '../server/provisioning-report.ts';
import { storeCommand } from './store-command.ts';

/** `lading apply FILE`: makes partners as the file says, all of it or nothing. */
export function applyCommand() {
  return storeCommand('apply', 'apply a provisioning file (JSON or YAML)', async (store, _config, file: string) => {
    const applied = await applyProvisioningText(store, readText(file), file, 'apply');
    return { json: appliedAnswer(applied), words: wordApplied(applied) };
  }).argument('<file>', 'the file, or - for standard input');
}

export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new Failure(exitCodes.wrongUsage, `${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
