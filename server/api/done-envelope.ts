import { wordPath } from '../platform/schema.ts';
import type { Wording } from './dialect.ts';
import { messageOf } from './problem.ts';

/** `{done, msg, retval}`: the envelope of the main API and of the logistics webhook. */
export const wordDoneProblem: Wording = (problem) => ({
  body: {
    done: false,
    msg: messageOf(problem),
    retval:
      problem.kind === 'invalid' ? { errors: problem.mistakes.map(({ path, message }) => ({ path: wordPath(path), message })) } : null,
  },
});
