import { applyProvisioningText } from '../server/apply-file.ts';
import { readInputText } from '../server/input-file.ts';
import { appliedAnswer, wordApplied } from '../server/provisioning-report.ts';
import { storeCommand } from './store-command.ts';

/** `lading apply FILE`: makes partners as the file says, all of it or nothing. */
export function applyCommand() {
  return storeCommand('apply', 'apply a provisioning file (JSON or YAML)', async (store, _config, file: string) => {
    const applied = await applyProvisioningText(store, readInputText(file), file, 'apply');
    return { json: appliedAnswer(applied), words: wordApplied(applied) };
  }).argument('<file>', 'the file, or - for standard input');
}
