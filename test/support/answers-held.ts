import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { GivenAnswer } from './answer-check.ts';

/** The document, as the global setup has written it down beside that folder. */
export const documentOf = (folder: string) => `${folder}.openapi.json`;

/** Names the folder in which each process of a test run writes down what it has held against the OpenAPI document. */
export const answersFolderVariable = 'LADING_TEST_ANSWERS';

/** An answer that went around Fastify's hooks, as a test has read it from its socket. */
export interface SocketAnswer {
  http: FastifyInstance;
  answer: Pick<GivenAnswer, 'status' | 'headers' | 'body'>;
}
export const socketAnswerChannel = 'lading.test.socket-answer';

export interface Tally {
  answers: number;
  mismatches: string[];
}

/** A line of a process's file. */
export type TallyLine = Partial<{ answers: number; mismatch: string }>;

/** What all processes together have written. */
export function tallyOf(folder: string): Tally {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  const written = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TallyLine);
  return {
    answers: written.reduce((sum, { answers = 0 }) => sum + answers, 0),
    mismatches: written.flatMap(({ mismatch }) => mismatch ?? []),
  };
}

/** What the run says of it: each mismatch once, and the count. */
export function wordTally({ answers, mismatches }: Tally): string {
  const times = new Map<string, number>();
  for (const mismatch of mismatches) times.set(mismatch, (times.get(mismatch) ?? 0) + 1);
  const lines = [...times].map(([mismatch, count]) => `answer unlike the OpenAPI document (${count} times): ${mismatch}\n`);
  return `${lines.join('')}answers held against the OpenAPI document: ${answers}, mismatches ${mismatches.length}\n`;
}
