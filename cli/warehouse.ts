import { Option } from 'commander';
import { connectorTypes } from '../server/domain/partners/provisioning.ts';
import { given, partnerCommand, secretFrom, wholeNumber } from './partner-command.ts';

export function warehouseCommand() {
  return partnerCommand({
    word: 'warehouse',
    kind: 'warehouse',
    names: ['warehouse_no'],
    ownName: ([warehouseNo]) => warehouseNo!,
    document: (
      [warehouseNo],
      { name, connector, url, changesUrl, secretFile, stepS, shortPicks, delays, transferEvery },
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
        }),
      ],
    }),
    createOptions: (command) =>
      command
        .option('--name <name>')
        .addOption(
          new Option('--connector <type>', 'how orders are transferred to the warehouse (default: manual)').choices(
            connectorTypes,
          ),
        )
        .option('--url <url>', 'for http: the URL that receives the orders')
        .option('--changes-url <url>', 'for http: the URL that receives changes of orders (default: none are accepted)')
        .option(
          '--secret-file <file>',
          'for http: file with the secret (default: a new one is generated and shown once)',
        )
        .option('--step-s <seconds>', 'for simulator: seconds per step', wholeNumber)
        .option(
          '--short-picks <percent>',
          'for simulator: percentage of orders with a missing unit at picking (default: 0)',
          wholeNumber,
        )
        .option(
          '--delays <percent>',
          'for simulator: percentage of orders that are delayed at one step (default: 0)',
          wholeNumber,
        )
        .option('--transfer-every <seconds>', 'seconds between transfers (default: 60)', wholeNumber),
    canBeDisabled: false,
    secrets: { default: 'connector_secret', overlap: '24h' },
  });
}
