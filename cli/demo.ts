import type { Command } from 'commander';
import { Failure, makeCommand } from '../server/command-line.ts';
import { type Provisioning, permissions } from '../server/domain/partners/provisioning.ts';
import { playActOne, uat } from './demo-act-one.ts';
import { playActTwo, production } from './demo-act-two.ts';
import { paint, wrap } from './demo-layout.ts';
import { withDemoService } from './demo-stage.ts';
import { makeStory } from './demo-story.ts';
import { makeDemoWire } from './demo-wire.ts';

interface DemoOptions {
  slow?: boolean;
  json?: boolean;
}

const slowPauseSeconds = 4;

/** `lading demo`: the whole product, end to end, on a service that is there for this only. */
export function demoCommand(): Command {
  return makeCommand('demo')
    .description('show what the service does, call by call, on a temporary service that is gone afterwards')
    .option('--slow', 'with a pause after each step, to read along')
    .option('--fast', 'without pauses (the default)')
    .action(async (_options: DemoOptions, command: Command) => {
      const { slow = false, json = false } = command.optsWithGlobals<DemoOptions>();
      let isStopped = false;
      const write = (text: string) => void (isStopped || process.stdout.write(text));
      const wire = makeDemoWire();
      const story = makeStory({ json, pauseSeconds: slow ? slowPauseSeconds : 0, write, wire });
      const startedAt = performance.now();
      if (!json) write(opening());
      const interrupted = interruption(() => {
        isStopped = true;
      });
      await withDemoService(provisioning, interrupted, async (service) => {
        await playActOne(story, service, wire);
        await playActTwo(story, service, wire);
      });
      if (!json) write(closing((performance.now() - startedAt) / 1000));
    });
}

const provisioning: Provisioning = {
  warehouses: [
    { warehouse_no: 1, name: 'Taoyuan' },
    { warehouse_no: 2, name: 'Taichung, simulated', connector: { type: 'simulator', step_s: 1 }, transfer_every_s: 1 },
  ],
  stores: [{ store_no: 1, name: 'Upload test store', type: 'upload' }],
  accounts: [
    {
      account_no: uat.accountNo,
      environment: 'uat',
      tenants: [{ warehouse_tpw_id: uat.warehouseTpwId, warehouse_no: 1, store_no: 1 }],
    },
    { account_no: production.accountNo, environment: 'production' },
  ],
  clients: [uat, production].map(({ clientId, accountNo }) => ({
    client_id: clientId,
    account_no: accountNo,
    permissions: [...permissions],
  })),
  logistics_keys: [{ name: production.keyName, account_no: production.accountNo, warehouse_no: 2, store_no: 1 }],
};

/** Never fulfilled; whoever is told to stop rejects it, and cleans up. What is told afterwards is no part of the story. */
function interruption(onStop: () => void): Promise<never> {
  return new Promise((_, reject) => {
    for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
      // A second one does not cut the cleaning short.
      process.on(signal, () => {
        onStop();
        reject(new Failure(128 + number, 'the demo was stopped; nothing of it is left'));
      });
    }
  });
}

function opening(): string {
  return [
    paint.heading('Lading, in one minute'),
    ...wrap(
      'Lading manages orders. Warehouses, logistics systems and shops tell it of products, goods and orders; it keeps the stock exactly right, ' +
        'takes orders through the warehouse, and tells the others what happened.',
      0,
    ),
    '',
    ...wrap(
      'A temporary service with a database of its own is starting on this machine. You are its partners: → is what you send, ← is what you get, ' +
        'first the verdict, then what is in the envelope. Secrets are cut short.',
      0,
    ),
    '',
  ].join('\n');
}

function closing(seconds: number): string {
  return [
    '',
    '',
    paint.heading(`That was it: everything as it should be, in ${seconds.toFixed(0)} s. The temporary service is gone.`),
    '',
    '  npm start     runs Lading on http://127.0.0.1:8080, with an account to try all this by hand',
    '  /docs         there: the reference of every call',
    '  README.md     five minutes to a first signed order of your own; all commands and settings',
    '',
  ].join('\n');
}
