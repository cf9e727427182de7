import { type Command, Option } from 'commander';
import { allowPassword } from '../server/domain/operators/break-glass.ts';
import { resetSecondFactor } from '../server/domain/operators/second-factor.ts';
import { operatorRoles } from '../server/domain/partners/provisioning.ts';
import { userName } from './apply-file.ts';
import { exitCodes, Failure } from './command-line.ts';
import { warehouseNumber } from './limit-option.ts';
import { formatTime } from './look.ts';
import { createOrChange, given, partnerCommand, secondsOf, secretFrom } from './partner-command.ts';
import { storeCommand } from './store-command.ts';

export function operatorCommand() {
  const group = partnerCommand({
    word: 'operator',
    kind: 'operator',
    names: ['username'],
    ownName: ([username]) => username!,
    document: ([username], { role, warehouse, passwordFile, enabled }) => ({
      operators: [given({ username, role, warehouse_nos: warehouse, password: secretFrom(passwordFile), enabled })],
    }),
    createOptions: (command) =>
      command
        .addOption(new Option('--role <role>').choices(operatorRoles).makeOptionMandatory())
        .option('--warehouse <warehouse_no...>', 'the only warehouses in which the operator works', eachNumber)
        .option('--password-file <file>', 'file with the password (default: a new one is generated and shown once)'),
    canBeDisabled: true,
    secrets: { default: 'operator_password', overlap: '0' },
  });
  group.addCommand(warehousesCommand());
  group.addCommand(resetTotpCommand());
  group.addCommand(breakGlassCommand());
  return group;
}

/** For an option that takes several numbers. */
function eachNumber(text: string, before: number[] | undefined): number[] {
  return [...(before ?? []), warehouseNumber(text)];
}

/** Takes effect with the next call of the operator's pages. */
function warehousesCommand(): Command {
  return storeCommand(
    'warehouses',
    'restrict an operator to warehouses, or end the restriction',
    async (store, config, username: string, options: { only?: number[]; all?: true }) => {
      if ((options.only === undefined) === (options.all !== true))
        throw new Failure(exitCodes.wrongUsage, 'give either --only or --all');
      const document = { operators: [{ username, warehouse_nos: options.only ?? [] }] };
      return await createOrChange(
        { store, config, partner: { word: 'operator', kind: 'operator' } },
        document,
        'existing',
        'warehouses',
      );
    },
  )
    .argument('<username>')
    .option('--only <warehouse_no...>', 'the only warehouses in which the operator works', eachNumber)
    .option('--all', 'the operator works in all warehouses');
}

function resetTotpCommand(): Command {
  return storeCommand(
    'reset-totp',
    'remove the one-time codes of an operator who has lost them, and end their sessions',
    async ({ database }, _config, username: string) => {
      const outcome = await resetSecondFactor(database, username, `operator reset-totp (${userName()})`);
      if (outcome.kind === 'not_enrolled')
        throw new Failure(exitCodes.refused, `operator ${username} has no one-time codes; nothing was changed`);
      const { sessionsEnded } = outcome;
      return {
        json: { username, sessions_ended: sessionsEnded },
        text: `operator ${username} signs in with the password alone; sessions ended: ${sessionsEnded}`,
      };
    },
  ).argument('<username>');
}

/** The way in if the identity provider is not available and passwords are switched off. */
function breakGlassCommand(): Command {
  return storeCommand(
    'break-glass',
    'let an operator sign in with a password for a while, although PASSWORD_SIGN_IN is off',
    async ({ database }, _config, username: string, options: { for: number }) => {
      const actor = `operator break-glass (${userName()})`;
      const outcome = await allowPassword(database, username, { seconds: options.for, actor });
      if (outcome.kind === 'not_found')
        throw new Failure(exitCodes.refused, `operator ${username} has no password; nothing was changed`);
      const { until } = outcome;
      return {
        json: { username, password_until: until },
        text:
          until === null
            ? `operator ${username} has no emergency access any more`
            : `operator ${username} may sign in with the password until ${formatTime(until)}`,
      };
    },
  )
    .argument('<username>')
    .option('--for <time>', 'how long: 30m, 4h, 7d; 0 ends it now', secondsOf, secondsOf('4h'));
}
