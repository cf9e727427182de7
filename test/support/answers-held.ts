import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { GivenAnswer } from './answer-check.ts';

/** The document, which the global setup writes next to that folder. */
export const documentOf = (folder: string) => `${folder}.openapi.json`;

/** The variable with the folder in which each process of a test run records its checks against the OpenAPI document. */
export const answersFolderVariable = 'LADING_TEST_ANSWERS';

/** Checks a response that bypassed Fastify's hooks and that a test has read from its socket. */
export interface SocketAnswer {
  http: FastifyInstance;
  answer: Pick<GivenAnswer, 'status' | 'headers' | 'body'>;
}
export const socketAnswerChannel = 'lading.test.socket-answer';

export interface Tally {
  answers: number;
  mismatches: string[];
}

/** A line in the file of a process. */
export type TallyLine = Partial<{ answers: number; mismatch: string }>;

/** The combined records of all processes. */
export function tallyOf(folder: string): Tally {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  const written = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TallyLine);
  return {
    answers: written.reduce((sum, { answers = 0 }) => sum + answers, 0),
    mismatches: written.flatMap(({ mismatch }) => mismatch ?? []),
  };
}

/** Formats the report of a run: each mismatch once, and the count. */
export function formatTally({ answers, mismatches }: Tally): string {
  const times = new Map<string, number>();
  for (const mismatch of mismatches) times.set(mismatch, (times.get(mismatch) ?? 0) + 1);
  const lines = [...times].map(
    ([mismatch, count]) => `answer unlike the OpenAPI document (${count} times): ${mismatch}\n`,
  );
  return `${lines.join('')}answers held against the OpenAPI document: ${answers}, mismatches ${mismatches.length}\n`;
}
