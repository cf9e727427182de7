import { permissions } from '../server/domain/partners/provisioning.ts';
import { given, partnerCommand, secretFrom } from './partner-command.ts';

export function clientCommand() {
  return partnerCommand({
    word: 'client',
    kind: 'client',
    names: ['client_id'],
    ownName: ([clientId]) => clientId!,
    document: ([client_id], { account, permission, checkValueFile, enabled }) => ({
      clients: [
        given({
          client_id,
          account_no: account,
          permissions: permission,
          check_value: secretFrom(checkValueFile),
          enabled,
        }),
      ],
    }),
    createOptions: (command) =>
      command
        .requiredOption('--account <account_no>', 'the account whose data the client can access')
        .option('--permission <permission...>', `any of ${permissions.join(', ')}`)
        .option(
          '--check-value-file <file>',
          'file with the CheckValue (default: a new one is generated and shown once)',
        ),
    canBeDisabled: true,
    secrets: { default: 'check_value', overlap: '24h' },
  });
}
