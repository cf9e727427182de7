import { type Answer, errorOf } from './send.ts';

/**
 * The response envelope of the main API and the logistics webhook: `{done, msg, retval}`. The
 * former has its errors in the body, the latter in `retval`.
 */
export function retvalOf<Retval>(answer: Answer): Retval {
  const { done, msg, retval, errors } = answer.json ?? {};
  if (done === true) return retval;
  throw errorOf(answer, { message: msg, errors: errors ?? retval?.errors });
}
