import { type PurgePreviewed, systemPurgePreview } from '../../../contract/console/system-purge-preview.ts';
import { previewPurge } from '../../domain/purge/preview-purge.ts';
import { madeBeforeOf } from '../../domain/purge/purge-report.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { readDatabaseTime } from '../../platform/database-clock.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** Somebody waits for it. */
const countingMaxMs = 3000;

/** What `lading purge --dry-run` tells. */
export function systemPurgePreviewCall({ database }: Pick<ConsoleParts, 'database'>): ConsoleEndpoint {
  return consoleEndpoint(systemPurgePreview, {
    role: 'staff',
    audit: null,
    async handle(_caller, { older_than_days }): Promise<PurgePreviewed> {
      const madeBefore = madeBeforeOf(await readDatabaseTime(database), older_than_days);
      const made_before = taipeiInstant(madeBefore);
      const endsAtMs = performance.now() + countingMaxMs;
      const previews = await previewPurge(database, madeBefore, () => {
        if (performance.now() > endsAtMs) throw new TooMany();
      }).catch((error: unknown) => {
        if (error instanceof TooMany) return null;
        throw error;
      });
      if (previews === null) return { kind: 'too_many', made_before };
      return { kind: 'counted', made_before, accounts: previews.map(({ accountNo, ...counts }) => ({ account_no: accountNo, ...counts })) };
    },
  });
}

class TooMany extends Error {}
