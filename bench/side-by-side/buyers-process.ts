/**
 * A separate process with a number of buyers. Each has a connection of its own and sends the next request when it has
 * the response to the previous one; bare sockets keep its own cost low.
 */
import { makeRandom } from '../../faults/random.ts';
import { type Connection, openConnection } from '../connection.ts';
import type { BuyersReport, BuyersTask } from './buyers.ts';
import { makeLadingBuyer } from './lading-buyer.ts';
import { makeMedusaBuyer, makeMedusaDraftBuyer } from './medusa-buyer.ts';
import type { Buy, Purchase, Recipe, Send } from './purchase.ts';
import { type Attempt, countPurchases } from './purchase-counts.ts';
import { makeVendureBuyer } from './vendure-buyer.ts';

process.on('message', async (task: BuyersTask) => process.send!(await work(task)));

async function work(task: BuyersTask): Promise<BuyersReport> {
  const buyers = await Promise.all(Array.from({ length: task.buyers }, (_, index) => openBuyer(task, index)));
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const attempts = (await Promise.all(buyers.map((buyer) => buyRepeatedly(buyer, task, startedAt)))).flat();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const { connection } of buyers) connection.close();
  return { ...countPurchases(attempts), seconds, cpuShare: (user + system) / 1e6 / seconds };
}

interface Buyer {
  index: number;
  connection: Connection;
  buy: Buy;
  requests: number;
}

async function openBuyer({ recipe, port }: BuyersTask, index: number): Promise<Buyer> {
  const connection = await openConnection(port);
  const buyer: Buyer = { index, connection, requests: 0, buy: () => Promise.reject(new Error('not ready')) };
  const send: Send = (request) => {
    buyer.requests += 1;
    return buyer.connection.ask(request);
  };
  buyer.buy = buyerOf(recipe, send, index);
  return buyer;
}

function buyerOf(recipe: Recipe, send: Send, index: number): Buy {
  switch (recipe.kind) {
    case 'lading':
      return makeLadingBuyer(recipe, send, index);
    case 'vendure':
      return makeVendureBuyer(recipe, send, index);
    case 'medusa':
      return makeMedusaBuyer(recipe, send, index);
    case 'medusa draft':
      return makeMedusaDraftBuyer(recipe, send, index);
    default:
      return recipe satisfies never;
  }
}

/** Until the time is up, or once. The last order is finished. */
async function buyRepeatedly(buyer: Buyer, task: BuyersTask, startedAt: number): Promise<Attempt[]> {
  const random = makeRandom(task.seed + buyer.index);
  const attempts: Attempt[] = [];
  do {
    const begunAt = performance.now();
    const before = buyer.requests;
    const purchase = await attempt(buyer, task, random.anyOf(task.skuIds));
    const now = performance.now();
    const requests = buyer.requests - before;
    attempts.push({ purchase, ms: now - begunAt, requests, endedMs: now - startedAt, buyer: buyer.index });
  } while (task.seconds !== null && performance.now() - startedAt < task.seconds * 1000);
  return attempts;
}

/** A connection that the server closed is an error of this order, and the next one has a new connection. */
async function attempt(buyer: Buyer, { port }: BuyersTask, skuId: string): Promise<Purchase> {
  try {
    return await buyer.buy(skuId);
  } catch (error) {
    buyer.connection.close();
    buyer.connection = await openConnection(port);
    return { kind: 'failed', reason: (error as Error).message };
  }
}
