import { Option } from 'commander';
import { receivingRules } from '../server/domain/partners/provisioning.ts';
import { given, noneAsNull, partnerCommand, sellableDays, sellableDaysHelp, wholeNumber } from './partner-command.ts';

export function tenantCommand() {
  return partnerCommand({
    word: 'tenant',
    kind: 'tenant',
    names: ['account_no', 'warehouse_tpw_id'],
    ownName: ([accountNo, warehouseTpwId]) => `${accountNo}/${warehouseTpwId}`,
    document: ([account_no, warehouse_tpw_id], { warehouse, store, receiving, sellableDays: days, overDelivery, enabled }) => ({
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
              enabled,
            }),
          ],
        },
      ],
    }),
    createOptions: (command) =>
      command
        .requiredOption('--warehouse <warehouse_no>', 'where its goods lie', wholeNumber)
        .requiredOption('--store <store_no>', 'the store its orders belong to', wholeNumber)
        .addOption(
          new Option('--receiving <rule>', 'when units count (default: on_create in uat, on_confirm in production)').choices(
            receivingRules,
          ),
        )
        .option('--sellable-days <days|none>', sellableDaysHelp, sellableDays)
        .option('--over-delivery <percent>', 'how many units more than announced may arrive (default: 0)', wholeNumber),
    canBeDisabled: true,
  });
}
