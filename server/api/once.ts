import type { FastifyInstance } from 'fastify';

const lazy = new WeakMap<FastifyInstance, (() => Promise<unknown>)[]>();

/** Made on first use, and then the same for everyone; a failure is not kept. */
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

/** Makes now what would be made on first use, for a process that will not be able to read its own files later. */
export async function makeAllNow(app: FastifyInstance): Promise<void> {
  await Promise.allSettled((lazy.get(app) ?? []).map((get) => get()));
}
