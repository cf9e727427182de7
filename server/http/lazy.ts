import type { FastifyInstance } from 'fastify';

const lazy = new WeakMap<FastifyInstance, (() => Promise<unknown>)[]>();

/** Makes the value on first use and shares it afterwards. A failure is not cached. */
export function once<T>(app: FastifyInstance, make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  lazy.set(app, [...(lazy.get(app) ?? []), get]);
  return get;
}

/** Makes all values now, for a process that will lose access to its own files. */
export async function makeAllNow(app: FastifyInstance): Promise<void> {
  await Promise.allSettled((lazy.get(app) ?? []).map((get) => get()));
}
