import { Option } from 'commander';
import { ownedName } from '../server/domain/partners/owned-name.ts';
import { receivingRules } from '../server/domain/partners/provisioning.ts';
import { partnerNumber } from './limit-option.ts';
import {
  falseAsNull,
  given,
  noneAsNull,
  partnerCommand,
  secretFrom,
  sellableDays,
  sellableDaysHelp,
  withCallbackOptions,
} from './partner-command.ts';

export function tenantCommand() {
  return partnerCommand({
    word: 'tenant',
    kind: 'tenant',
    names: ['account_no', 'warehouse_tpw_id'],
    ownName: ([accountNo, warehouseTpwId]) => ownedName(accountNo!, warehouseTpwId!),
    document: (
      [account_no, warehouse_tpw_id],
      { warehouse, store, receiving, sellableDays: days, overDelivery, callbackUrl, callbackSecretFile, enabled },
    ) => ({
      accounts: [
        {
          account_no,
          tenants: [
            given({
              warehouse_tpw_id,
              warehouse_no: warehouse,
              store_no: store,
              receiving,
              sellable_days_before_expiry: noneAsNull(days),
              over_delivery_percent: overDelivery,
              callback_url: falseAsNull(callbackUrl),
              callback_secret: secretFrom(callbackSecretFile),
              enabled,
            }),
          ],
        },
      ],
    }),
    createOptions: (command) =>
      withCallbackOptions(command)
        .requiredOption('--warehouse <warehouse_no>', 'the warehouse that holds its stock', partnerNumber('placeNo'))
        .requiredOption('--store <store_no>', 'the store to which its orders belong', partnerNumber('placeNo'))
        .addOption(
          new Option(
            '--receiving <rule>',
            'when announced units are added to stock (default: on_create in uat, on_confirm in production)',
          ).choices(receivingRules),
        )
        .option('--sellable-days <days|none>', sellableDaysHelp, sellableDays)
        .option(
          '--over-delivery <percent>',
          'percentage of excess units that may be received (default: 0)',
          partnerNumber('overDeliveryPercent'),
        ),
    canBeDisabled: true,
    hasCallbacks: true,
    secrets: { default: 'tenant_callback_secret', overlap: '24h' },
  });
}
