import { answersFolderVariable, tallyOf, wordTally } from './answers-held.ts';
import { loadedTest } from './run-together.ts';

const wholeRunMinTests = 1000;

interface TestEvent {
  type: string;
  data: { details?: { type?: string; error?: { failureType?: string } }; skip?: unknown; file?: string; name?: string };
}

/** Beside node's own report: what of the answers is not as the OpenAPI document says, and one last line that says it all. */
export default async function* closingLine(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of source) {
    if (data?.details?.type === 'suite' || isOnlyItsTests(type, data)) continue;
    if (type === 'test:pass') count[data.skip === undefined ? 'passed' : 'skipped']++;
    if (type === 'test:fail') count.failed++;
  }
  const tally = tallyOf(process.env[answersFolderVariable]!);
  yield wordTally(tally);
  // In a whole run, none at all would mean that nobody has looked.
  const nobodyLooked = tally.answers === 0 && count.passed > wholeRunMinTests;
  if (tally.mismatches.length > 0 || nobodyLooked) {
    count.failed++;
    process.exitCode = 1;
  }
  yield `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`;
}

/** A file that shares its process is a test there, and that it was loaded another; it counts when something else than its tests failed. */
function isOnlyItsTests(type: string, { name, details }: Partial<TestEvent['data']> = {}): boolean {
  if (name === loadedTest) return true;
  return name?.endsWith('.test.ts') === true && (type === 'test:pass' || details?.error?.failureType === 'subtestsFailed');
}
