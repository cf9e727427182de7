/** The database could not be reached or did not answer in time; the request may be repeated later. */
export class DatabaseUnavailable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'DatabaseUnavailable';
  }
}

/** Nobody knows whether a transaction was committed, or whether it will last. A repeat finds out. */
export class OutcomeUnknown extends DatabaseUnavailable {
  constructor(reason: string) {
    super(`the outcome is unknown (${reason}); repeat it to find out`);
    this.name = 'OutcomeUnknown';
  }
}

/** The result of `promise`, or after `expiresAt` the error that `onExpiry` makes. */
export async function before<T>(promise: Promise<T>, expiresAt: number, onExpiry: () => Error): Promise<T> {
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(() => expiry.reject(onExpiry()), Math.max(0, expiresAt - performance.now()));
  promise.catch(() => {});
  try {
    return await Promise.race([promise, expiry.promise]);
  } finally {
    clearTimeout(timer);
  }
}
