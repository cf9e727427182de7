import { exitCodes, Failure } from '../server/command-line.ts';
import type { NamedDocument, StoryCallback } from '../server/domain/timeline/document-story-queries.ts';
import type { Database, Sql } from '../server/platform/database.ts';
import { wordTable } from './store-command.ts';

/** What a document is called, and what was given to find it. */
export interface Wanted {
  word: string;
  number: string;
  accountNo: string | null;
}

/** The story of the one document that is meant; where there are several of its number, they are named. */
export async function readStory<Story>(
  database: Database,
  { word, number, accountNo }: Wanted,
  find: (sql: Sql, number: string, accountNo: string | null) => Promise<NamedDocument[]>,
  read: (sql: Sql, documentId: number) => Promise<Story | null>,
): Promise<Story> {
  const [found, ...others] = await database.read((sql) => find(sql, number, accountNo));
  if (found && others.length > 0) {
    const which = [found, ...others].map(({ account_no, channel, document_no }) => `${document_no} (account ${account_no}, ${channel})`);
    throw new Failure(exitCodes.refused, `${number} is the number of several; say which with --account, or by our own number:`, which);
  }
  const story = found ? await database.read((sql) => read(sql, found.document_id)) : null;
  if (!story) throw new Failure(exitCodes.refused, `there is no ${word} ${number}${accountNo === null ? '' : ` of account ${accountNo}`}`);
  return story;
}

/** What is not there is left out. */
export function wordFacts(facts: [label: string, value: unknown][]): string {
  const given = facts.filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...given.map(([label]) => label.length)) + 2;
  return given.map(([label, value]) => `${label.padEnd(width)}${value}`).join('\n');
}

export function wordSection(title: string, rows: object[], whenEmpty: string): string {
  const table = wordTable(rows as Record<string, unknown>[], whenEmpty);
  return `\n${title}\n${table.replace(/^/gm, '  ')}`;
}

export function callbackLines(callbacks: StoryCallback[]) {
  return callbacks.map(({ event, status, attempts, next_attempt_at, event_id }) => ({
    ...{ event, status, tries: attempts, next_try: next_attempt_at, event_id },
  }));
}

export function wordMaking({ created_at, created_by }: { created_at: string; created_by: string | null }): string {
  return created_by === null ? created_at : `${created_at} by ${created_by}`;
}
