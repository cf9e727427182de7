import { readFile } from 'node:fs/promises';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from 'playwright-core';

const axeScript = new URL('../../node_modules/axe-core/axe.min.js', import.meta.url);

/** Returns the accessibility violations that axe-core finds on the current page, one line per element. */
export async function findAxeFindings(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // Injected through the debugger, because the page's content security policy stays in force for everything else.
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  };
  try {
    const isLoaded = await evaluate("'axe' in window");
    if (!isLoaded) await evaluate(`${await readFile(axeScript, 'utf8')}; undefined`);
    const { violations } = (await evaluate("axe.run(document, { resultTypes: ['violations'] })")) as AxeResults;
    return violations.flatMap(formatFindings);
  } finally {
    await session.detach();
  }
}

/** Uses only the first cause of the summary, which is a list below a heading. */
function formatFindings({ id, nodes }: Result): string[] {
  return nodes.map(
    ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.split('\n')[1]?.trim()}`,
  );
}
