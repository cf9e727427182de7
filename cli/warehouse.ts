import { Option } from 'commander';
import { connectorTypes } from '../server/domain/partners/provisioning.ts';
import { given, partnerCommand, secretFrom, wholeNumber } from './partner-command.ts';

export function warehouseCommand() {
  return partnerCommand({
    word: 'warehouse',
    kind: 'warehouse',
    names: ['warehouse_no'],
    ownName: ([warehouseNo]) => warehouseNo!,
    document: ([warehouseNo], { name, connector, url, secretFile, stepS, shortPicks, delays, transferEvery }) => ({
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
        .addOption(new Option('--connector <type>', 'how orders reach it (default: manual)').choices(connectorTypes))
        .option('--url <url>', 'for http: where orders are posted to')
        .option('--secret-file <file>', 'for http: file with the secret (default: one is made and shown once)')
        .option('--step-s <seconds>', 'for simulator: seconds per step', wholeNumber)
        .option(
          '--short-picks <percent>',
          'for simulator: how many orders of a hundred miss a unit when they are picked (default: 0)',
          wholeNumber,
        )
        .option(
          '--delays <percent>',
          'for simulator: how many orders of a hundred are delayed, at one of their steps (default: 0)',
          wholeNumber,
        )
        .option('--transfer-every <seconds>', 'how often orders are handed over (default: 60)', wholeNumber),
    canBeDisabled: false,
    secrets: { default: 'connector_secret', overlap: '24h' },
  });
}
