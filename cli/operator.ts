import { Option } from 'commander';
import { operatorRoles } from '../server/domain/partners/provisioning.ts';
import { given, partnerCommand, secretFrom } from './partner-command.ts';

export function operatorCommand() {
  return partnerCommand({
    word: 'operator',
    kind: 'operator',
    names: ['username'],
    ownName: ([username]) => username!,
    document: ([username], { role, passwordFile, enabled }) => ({
      operators: [given({ username, role, password: secretFrom(passwordFile), enabled })],
    }),
    createOptions: (command) =>
      command
        .addOption(new Option('--role <role>').choices(operatorRoles).makeOptionMandatory())
        .option('--password-file <file>', 'file with the password (default: a new one is generated and shown once)'),
    canBeDisabled: true,
    secrets: { default: 'operator_password', overlap: '0' },
  });
}
