import { type Command, Option } from 'commander';
import { connectorTypes, workingDays } from '../server/domain/partners/provisioning.ts';
import { partnerNumber } from './limit-option.ts';
import { given, partnerCommand, secretFrom } from './partner-command.ts';

export function warehouseCommand() {
  return partnerCommand({
    word: 'warehouse',
    kind: 'warehouse',
    names: ['warehouse_no'],
    ownName: ([warehouseNo]) => warehouseNo!,
    document: (
      [warehouseNo],
      {
        name,
        connector,
        url,
        changesUrl,
        secretFile,
        stepS,
        shortPicks,
        delays,
        transferEvery,
        cutOff,
        workingDays: days,
      },
    ) => ({
      warehouses: [
        given({
          warehouse_no: Number(warehouseNo),
          name,
          connector:
            connector === undefined
              ? undefined
              : given({
                  type: connector,
                  url,
                  changes_url: changesUrl,
                  secret: secretFrom(secretFile),
                  step_s: stepS,
                  short_pick_percent: shortPicks,
                  delay_percent: delays,
                }),
          transfer_every_s: transferEvery,
          cut_off: cutOff === 'none' ? null : cutOff,
          working_days: days,
        }),
      ],
    }),
    createOptions: addOptions,
    canBeDisabled: false,
    secrets: { default: 'connector_secret', overlap: '24h' },
  });
}

function addOptions(command: Command): Command {
  return command
    .option('--name <name>')
    .addOption(
      new Option('--connector <type>', 'how orders are transferred to the warehouse (default: manual)').choices(
        connectorTypes,
      ),
    )
    .option('--url <url>', 'for http: the URL that receives the orders')
    .option('--changes-url <url>', 'for http: the URL that receives changes of orders (default: none are accepted)')
    .option('--secret-file <file>', 'for http: file with the secret (default: a new one is generated and shown once)')
    .option('--step-s <seconds>', 'for simulator: seconds per step', partnerNumber('seconds'))
    .option(
      '--short-picks <percent>',
      'for simulator: percentage of orders with a missing unit at picking (default: 0)',
      partnerNumber('percent'),
    )
    .option(
      '--delays <percent>',
      'for simulator: percentage of orders that are delayed at one step (default: 0)',
      partnerNumber('percent'),
    )
    .option('--transfer-every <seconds>', 'seconds between transfers (default: 60)', partnerNumber('seconds'))
    .option('--cut-off <time>', 'orders before this time of a working day must ship that day: 15:00, or none')
    .addOption(
      new Option('--working-days <days...>', 'days with a cut-off (default: Monday to Friday)').choices(workingDays),
    );
}
