/** The text with this between its two marks: `<!-- NAME: npm run draw -->` and `<!-- end of NAME -->`. */
export function drawBetweenMarks(text: string, name: string, drawn: string): string {
  const [begin, end] = [`<!-- ${name}: npm run draw -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no place for ${name}`);
  return `${text.slice(0, from)}${begin}\n${drawn}\n${text.slice(to)}`;
}
