import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onInterrupt } from './child-process.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { eventually, extendForQuickRun } from './patience.ts';
import { type World, withWorld } from './world.ts';

const nodes = 3;
const diesWithinMs = 30_000;
const repeatedWithinMs = 30_000;

/** Patterns of the responses to the first creation of each kind of document. */
const creations = {
  order: '"orders_id":"[^"]+".*"idempotent":false',
  inbound: 'LST-TPW-2000.*"stock_in_no"',
  'shipping order': '"document_no":"SHIP-.*"idempotent":false',
  form: '"document_no":"FORM-.*"idempotent":false',
} as const;

/**
 * Kills a node with -9 after its commit and before its response. The caller repeats the request and must get the same
 * document, which must exist once.
 */
export async function killUnanswered({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const rounds = quick ? 2 : 40;
  const folder = mkdtempSync(join(tmpdir(), 'lading-faults-'));
  // A node started by root has switched to another user by then.
  chmodSync(folder, 0o777);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const forget = onInterrupt(remove);
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
        const withheld = await killBeforeAnswer(
          world,
          node,
          armFileOf(node),
          creations[kind],
          extendForQuickRun(diesWithinMs, quick),
        );
        progress(`kill ${round}: ${world.nodes[node]!.name}, before its response to a new ${kind}`);
        if (withheld && (await isReturnedToRepeat(world, withheld, extendForQuickRun(repeatedWithinMs, quick))))
          sameDocument++;
      }
      await Promise.all(world.nodes.map((one) => one.untilUp()));
    });
    return {
      fault: 'kill-unanswered',
      rounds,
      ...report,
      figures: { ...report.figures, sameDocumentToRepeat: sameDocument },
    };
  } finally {
    remove();
    forget();
  }
}

/** The document number in the withheld response; null if the node was not killed in time. */
async function killBeforeAnswer(
  world: World,
  node: number,
  armFile: string,
  pattern: string,
  withinMs: number,
): Promise<string | null> {
  const target = world.nodes[node]!;
  const victim = target.pid();
  // Renamed, so that the node never reads a partly written file.
  writeFileSync(`${armFile}.new`, pattern);
  renameSync(`${armFile}.new`, armFile);
  if (!(await eventually(() => target.pid() !== victim, { withinMs, everyMs: 5 }))) {
    world.find('wrong', `${target.name} had no such response for ${withinMs / 1000} s`);
    return null;
  }
  const withheldFile = `${armFile}.withheld`;
  const { data, retval } = JSON.parse(readFileSync(withheldFile, 'utf8'));
  rmSync(withheldFile);
  return data?.orders_id ?? data?.stock_in_no ?? retval.document_no;
}

/** Whether the repeat of the request returned this document as an existing one. */
async function isReturnedToRepeat({ ledger, find }: World, number: string, withinMs: number): Promise<boolean> {
  const documentOf = () =>
    [...ledger.orders.values(), ...ledger.inbounds.values()].find(({ knownAs }) => knownAs === number);
  await eventually(() => documentOf() !== undefined, { withinMs, everyMs: 50 });
  const document = documentOf();
  if (!document) find('lost', `${number} was created, and its repeat did not return it`);
  else if (document.creations > 0)
    find('doubled', `${document.number} was created as ${number}, and again by its repeat`);
  return document?.creations === 0;
}
