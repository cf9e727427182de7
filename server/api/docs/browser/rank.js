// Finds the entries of the search index that fit a query.

/** @typedef {{ kind: string; title: string; context: string; url: string; text: string }} Entry */

const resultsMax = 20;

/**
 * The best entries first. Every term must occur. Chinese is written without spaces between words, so a run of Chinese
 * characters counts as found if all its pairs of neighbouring characters occur.
 * @param {Entry[]} entries
 * @param {string} query
 * @returns {Entry[]}
 */
export function rank(entries, query) {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  const whole = query.trim().toLowerCase();
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, terms, whole) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, resultsMax)
    .map(({ entry }) => entry);
}

const chinese = /\p{Script=Han}+/gu;

/** @param {string} query */
export function termsOf(query) {
  const lower = query.toLowerCase();
  const runs = lower.match(chinese) ?? [];
  const pairs = runs.flatMap((run) =>
    run.length < 2 ? [run] : Array.from({ length: run.length - 1 }, (_none, index) => run.slice(index, index + 2)),
  );
  const words = lower.replaceAll(chinese, ' ').split(/[\s,;:()"'`]+/);
  return [...new Set([...words, ...pairs])].filter((term) => term !== '');
}

const weights = { operation: 3, error: 3, guide: 2, field: 1 };

/**
 * @param {Entry} entry
 * @param {string[]} terms
 * @param {string} whole
 */
function scoreOf(entry, terms, whole) {
  const title = entry.title.toLowerCase();
  const context = entry.context.toLowerCase();
  const text = entry.text.toLowerCase();
  let score = 0;
  for (const term of terms) {
    const here = placeOf(term, title) * 8 + placeOf(term, context) * 3 + placeOf(term, text);
    if (here === 0) return 0;
    score += here;
  }
  if (title === whole) score += 60;
  else if (title.startsWith(whole)) score += 20;
  else if (title.includes(whole)) score += 10;
  else if (text.includes(whole)) score += 4;
  return score + (weights[/** @type {keyof typeof weights} */ (entry.kind)] ?? 0);
}

/**
 * 2 if the term begins a word, 1 if it occurs, otherwise 0.
 * @param {string} term
 * @param {string} text
 */
function placeOf(term, text) {
  const at = text.indexOf(term);
  if (at < 0) return 0;
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? 2 : 1;
}
