import { Option } from 'commander';
import { environments } from '../server/domain/partners/provisioning.ts';
import { falseAsNull, given, partnerCommand, secretFrom, withCallbackOptions } from './partner-command.ts';

export function accountCommand() {
  return partnerCommand({
    word: 'account',
    kind: 'account',
    names: ['account_no'],
    ownName: ([accountNo]) => accountNo!,
    document: (
      [account_no],
      { name, environment, warehouseApi, secretFile, callbackUrl, callbackSecretFile, enabled },
    ) => ({
      accounts: [
        given({
          account_no,
          name,
          environment,
          warehouse_api: warehouseApi === false ? false : undefined,
          secret: secretFrom(secretFile),
          callback_url: falseAsNull(callbackUrl),
          callback_secret: secretFrom(callbackSecretFile),
          enabled,
        }),
      ],
    }),
    createOptions: (command) =>
      withCallbackOptions(command)
        .addOption(new Option('--environment <environment>').choices(environments).makeOptionMandatory())
        .option('--name <name>')
        .option('--no-warehouse-api', 'without access to the warehouse API')
        .option('--secret-file <file>', 'file with the secret (default: a new one is generated and shown once)'),
    canBeDisabled: true,
    hasCallbacks: true,
    secrets: {
      default: 'account_secret',
      byOption: { callbackSecret: 'account_callback_secret' },
      overlap: '24h',
    },
  });
}
