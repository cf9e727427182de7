import { type Command, Option } from 'commander';
import { ownedName } from '../server/domain/partners/owned-name.ts';
import { receivingRules } from '../server/domain/partners/provisioning.ts';
import { partnerNumber } from './limit-option.ts';
import { given, noneAsNull, partnerCommand, secretFrom, sellableDays, sellableDaysHelp } from './partner-command.ts';

export function keyCommand() {
  const ofAccount = (command: Command) => command.requiredOption('--account <account_no>', 'the account of the key');
  return partnerCommand({
    word: 'key',
    kind: 'logistics_key',
    names: ['name'],
    ownName: ([name], { account }) => ownedName(String(account), name!),
    document: (
      [name],
      {
        account,
        warehouse,
        store,
        receiving,
        receiveAfter,
        sellableDays: days,
        overDelivery,
        keyFile,
        callbackSecretFile,
        enabled,
      },
    ) => ({
      logistics_keys: [
        given({
          name,
          account_no: account,
          warehouse_no: warehouse,
          store_no: store,
          receiving,
          receive_after_s: receiveAfter,
          sellable_days_before_expiry: noneAsNull(days),
          over_delivery_percent: overDelivery,
          key: secretFrom(keyFile),
          callback_secret: secretFrom(callbackSecretFile),
          enabled,
        }),
      ],
    }),
    findOptions: ofAccount,
    createOptions: (command) => addRules(ofAccount(command)),
    canBeDisabled: true,
    secrets: { default: 'logistics_key', byOption: { callbackSecret: 'callback_secret' }, overlap: '24h' },
  });
}

function addRules(command: Command): Command {
  return command
    .requiredOption('--warehouse <warehouse_no>', 'the warehouse that holds its stock', partnerNumber('placeNo'))
    .requiredOption('--store <store_no>', 'the store to which its orders belong', partnerNumber('placeNo'))
    .addOption(
      new Option(
        '--receiving <rule>',
        'when announced units are added to stock (default: on_create in uat, on_confirm in production)',
      ).choices(receivingRules),
    )
    .option(
      '--receive-after <seconds>',
      'UAT: how long a form stays expected before it is received automatically; 0: it is received at once (default: 30)',
      partnerNumber('receiveAfterSeconds'),
    )
    .option('--sellable-days <days|none>', sellableDaysHelp, sellableDays)
    .option(
      '--over-delivery <percent>',
      'percentage of excess units that may be received (default: 0)',
      partnerNumber('overDeliveryPercent'),
    )
    .option('--key-file <file>', 'file with the API key (default: a new one is generated and shown once)')
    .option(
      '--callback-secret-file <file>',
      'file with the callback secret (default: a new one is generated and shown once)',
    );
}
