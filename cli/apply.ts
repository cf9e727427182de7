import { applyProvisioningText } from './apply-file.ts';
import { readInputText } from './input-file.ts';
import { appliedAnswer, formatApplied } from './provisioning-report.ts';
import { storeCommand } from './store-command.ts';

/** `lading apply FILE`: creates and changes partners according to the file, all or nothing. */
export function applyCommand() {
  return storeCommand('apply', 'apply a provisioning file (JSON or YAML)', async (store, config, file: string) => {
    const applied = await applyProvisioningText(store, readInputText(file), { path: file, actor: 'apply', config });
    return { json: appliedAnswer(applied), text: formatApplied(applied) };
  }).argument('<file>', 'the file, or - for standard input');
}
