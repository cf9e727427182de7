import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { undoWhenBrokenOff } from './child-process.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { becomes, patiently } from './patience.ts';
import { type World, withWorld } from './world.ts';

const nodes = 3;
const diesWithinMs = 30_000;
const toldWithinMs = 30_000;

/** How the answer to each kind of creation is known, when it is no repeat. */
const creations = {
  order: '"orders_id":"[^"]+".*"idempotent":false',
  inbound: 'LST-TPW-2000.*"stock_in_no"',
  'shipping order': '"document_no":"SHIP-.*"idempotent":false',
  form: '"document_no":"FORM-.*"idempotent":false',
} as const;

/**
 * kill -9 of a node after its commit and before its answer: whoever has no answer sends the same again, and is told of the same document, which was
 * made once.
 */
export async function killUnanswered({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const rounds = quick ? 2 : 40;
  const folder = mkdtempSync(join(tmpdir(), 'lading-faults-'));
  // A node that root has started is another user by then.
  chmodSync(folder, 0o777);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const forget = undoWhenBrokenOff(remove);
  const armFileOf = (node: number) => join(folder, `node-${node}`);
  const preload = new URL('./die-before-answer.ts', import.meta.url).href;
  const nodeEnv = (node: number) => ({ NODE_OPTIONS: `--import=${preload}`, FAULT_ARM_FILE: armFileOf(node) });
  let sameDocument = 0;
  try {
    const options = { quick, seed, nodes, nodeEnv, nodesMayKillThemselves: true, connectionsMayBreak: true, progress };
    const report = await withWorld(options, async (world) => {
      const random = world.random.fork();
      for (let round = 1; round <= rounds; round++) {
        const kind = random.anyOf(Object.keys(creations) as (keyof typeof creations)[]);
        const node = random.upTo(nodes) - 1;
        await Promise.all([sleep(random.between(200, quick ? 600 : 2000)), ...world.nodes.map((one) => one.untilUp())]);
        const withheld = await killBeforeAnswer(world, node, armFileOf(node), creations[kind], patiently(diesWithinMs, quick));
        progress(`kill ${round}: ${world.nodes[node]!.name}, which was about to answer ${kind}`);
        if (withheld && (await isToldToRepeat(world, withheld, patiently(toldWithinMs, quick)))) sameDocument++;
      }
      await Promise.all(world.nodes.map((one) => one.untilUp()));
    });
    return { fault: 'kill-unanswered', rounds, ...report, figures: { ...report.figures, sameDocumentToRepeat: sameDocument } };
  } finally {
    remove();
    forget();
  }
}

/** The number in the answer that nobody got; null if it did not come to that. */
async function killBeforeAnswer(world: World, node: number, armFile: string, pattern: string, withinMs: number): Promise<string | null> {
  const { name, pid } = world.nodes[node]!;
  const victim = pid();
  // Put there in one step, so that it is never read half-written.
  writeFileSync(`${armFile}.new`, pattern);
  renameSync(`${armFile}.new`, armFile);
  if (!(await becomes(() => pid() !== victim, { withinMs, everyMs: 5 }))) {
    world.find('wrong', `${name} had nothing to answer for ${withinMs / 1000} s`);
    return null;
  }
  const withheldFile = `${armFile}.withheld`;
  const { data, retval } = JSON.parse(readFileSync(withheldFile, 'utf8'));
  rmSync(withheldFile);
  return data?.orders_id ?? data?.stock_in_no ?? retval.document_no;
}

/** Its caller sends the same again, and is told of this very document, as of one that was there already. */
async function isToldToRepeat({ ledger, find }: World, number: string, withinMs: number): Promise<boolean> {
  const documentOf = () => [...ledger.orders.values(), ...ledger.inbounds.values()].find(({ told }) => told === number);
  await becomes(() => documentOf() !== undefined, { withinMs, everyMs: 50 });
  const document = documentOf();
  if (!document) find('lost', `${number} was made, unanswered, and its repeat was not told of it`);
  else if (document.creations > 0) find('doubled', `${document.number} was made as ${number}, unanswered, and made again for its repeat`);
  return document?.creations === 0;
}
