import { root } from './child-process.ts';
import { runLading } from './run-lading.ts';

/** Runs `lading audit`; returns `clean` or its output. */
export async function runAudit(settings: Record<string, string>, tree = root): Promise<string> {
  const { code, description } = await runLading(['audit'], settings, tree);
  return code === 0 ? 'clean' : description;
}
