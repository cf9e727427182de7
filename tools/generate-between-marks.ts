/** How a comment begins and ends. */
type Comment = [begin: string, end: string];
const markdownComment: Comment = ['<!-- ', ' -->'];

/** Replaces the content between the two comments `NAME: npm run generate` and `end of NAME`. */
export function replaceBetweenMarks(text: string, name: string, generated: string, comment = markdownComment): string {
  const [begin, end] = [`${name}: npm run generate`, `end of ${name}`].map((words) => comment.join(words)) as Comment;
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the marks for ${name} are missing`);
  return `${text.slice(0, from)}${begin}\n${generated}\n${text.slice(to)}`;
}
