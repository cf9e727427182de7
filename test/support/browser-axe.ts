import { readFile } from 'node:fs/promises';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from 'playwright-core';

const axeScript = new URL('../../node_modules/axe-core/axe.min.js', import.meta.url);

/** All that axe-core finds fault with on the page as it is now, a line per element. */
export async function findAxeFindings(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // Over the debugger's wire, where the page's content security policy has no say and stays in force.
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  };
  try {
    await evaluate(`${await readFile(axeScript, 'utf8')}; undefined`);
    const { violations } = (await evaluate("axe.run(document, { resultTypes: ['violations'] })")) as AxeResults;
    return violations.flatMap(wordFindings);
  } finally {
    await session.detach();
  }
}

/** Of its summary, the first of the causes, which are a list below a heading. */
function wordFindings({ id, nodes }: Result): string[] {
  return nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.split('\n')[1]?.trim()}`);
}
