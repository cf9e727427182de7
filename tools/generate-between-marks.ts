/** Replaces the content between the two marks `<!-- NAME: npm run generate -->` and `<!-- end of NAME -->`. */
export function replaceBetweenMarks(text: string, name: string, generated: string): string {
  const [begin, end] = [`<!-- ${name}: npm run generate -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the marks for ${name} are missing`);
  return `${text.slice(0, from)}${begin}\n${generated}\n${text.slice(to)}`;
}
