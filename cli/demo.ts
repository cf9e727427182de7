import type { Command } from 'commander';
import { type Provisioning, permissions } from '../server/domain/partners/provisioning.ts';
import { Failure, makeCommand } from './command-line.ts';
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

/** `lading demo`: shows the whole product end to end, on a temporary service. */
export function demoCommand(): Command {
  return makeCommand('demo')
    .description('demonstrate the service request by request, on a temporary instance that is removed afterwards')
    .option('--slow', 'pause after each step, to read along')
    .option('--fast', 'do not pause (default)')
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

/**
 * A promise that never resolves, and rejects on a signal so that the demo cleans up. Output after the signal is
 * discarded.
 */
function interruption(onStop: () => void): Promise<never> {
  return new Promise((_, reject) => {
    for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
      // A second signal does not interrupt the cleanup.
      process.on(signal, () => {
        onStop();
        reject(new Failure(128 + number, 'the demo was stopped, and everything was removed'));
      });
    }
  });
}

function opening(): string {
  return [
    paint.heading('Lading in about 15 seconds; with --slow at reading speed'),
    ...wrap(
      'Lading manages orders. Warehouses, logistics systems and shops send it products, goods and orders. It keeps the stock exactly right, ' +
        'guides orders through the warehouse, and notifies the others of events.',
      0,
    ),
    '',
    ...wrap(
      'A temporary service with its own database is starting on this machine. You act as its partners: → marks requests, ← marks responses, ' +
        'first the result, then the data in the envelope. Secrets are truncated.',
      0,
    ),
    '',
  ].join('\n');
}

function closing(seconds: number): string {
  return [
    '',
    '',
    paint.heading(
      `Done: everything went as expected, in ${seconds.toFixed(0)} s. The temporary service has been removed.`,
    ),
    '',
    '  npm start     runs Lading on http://127.0.0.1:8080, with a demo account to try all of this',
    '  /docs         on that server: the API reference',
    '  README.md     five minutes to your first signed order',
    '  docs/         all commands and settings (operating.md), guides for partners',
    '',
  ].join('\n');
}
