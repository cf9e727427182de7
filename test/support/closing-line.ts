import { answersFolderVariable, formatTally, tallyOf } from './answers-held.ts';
import { loadedTest, sharedTest } from './run-together.ts';

const wholeRunMinTests = 1000;

interface TestEvent {
  type: string;
  data: { details?: { type?: string; error?: { failureType?: string } }; skip?: unknown; file?: string; name?: string };
}

/** In addition to Node's own report: mismatches between responses and the OpenAPI document, and a summary line. */
export default async function* closingLine(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of source) {
    if (data?.details?.type === 'suite' || isOnlyItsTests(type, data)) continue;
    if (type === 'test:pass') count[data.skip === undefined ? 'passed' : 'skipped']++;
    if (type === 'test:fail') count.failed++;
  }
  const tally = tallyOf(process.env[answersFolderVariable]!);
  yield formatTally(tally);
  // In a complete run, zero checked responses would mean that the check did not run.
  const nobodyLooked = tally.answers === 0 && count.passed > wholeRunMinTests;
  if (tally.mismatches.length > 0 || nobodyLooked) {
    count.failed++;
    process.exitCode = 1;
  }
  yield `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`;
}

/** Files that share a process appear as tests; they only count if something other than their own tests failed. */
function isOnlyItsTests(type: string, { name, details }: Partial<TestEvent['data']> = {}): boolean {
  if (name === loadedTest) return true;
  const isAroundTests = name === sharedTest || name?.endsWith('.test.ts') === true;
  return isAroundTests && (type === 'test:pass' || details?.error?.failureType === 'subtestsFailed');
}
