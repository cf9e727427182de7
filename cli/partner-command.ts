import { type Command, InvalidArgumentError } from 'commander';
import { formatMessage } from '../messages/format-message.ts';
import { callbackGuardNow } from '../server/callback-guard.ts';
import type { Config } from '../server/config.ts';
import { applyOne } from '../server/domain/partners/apply-one.ts';
import type { PartnerMistake } from '../server/domain/partners/apply-outcome.ts';
import { listPartnerChanges, listPartners } from '../server/domain/partners/partner-queries.ts';
import { withHints } from '../server/domain/partners/read-provisioning.ts';
import { rotateSecret } from '../server/domain/partners/rotate-secret.ts';
import { type SecretKind, secretKinds } from '../server/domain/partners/secret.ts';
import type { SubjectKind } from '../server/domain/partners/subject.ts';
import type { Store } from '../server/open-store.ts';
import { formatPath } from '../server/platform/json/schema.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { userName } from './apply-file.ts';
import { exitCodes, Failure, makeCommand } from './command-line.ts';
import { readInputText } from './input-file.ts';
import { partnerNumber } from './limit-option.ts';
import { formatTime } from './look.ts';
import { appliedAnswer, formatApplied } from './provisioning-report.ts';
import { type CommandResult, storeCommand } from './store-command.ts';
import { formatTable } from './table.ts';

/** Describes a kind of partner for its commands. */
export interface PartnerKind {
  /** The name of the command. */
  word: string;
  kind: SubjectKind;
  /** The arguments that identify a partner, such as `<account_no>`. */
  names: string[];
  /** The single name under which the audit log lists the partner. */
  ownName(names: string[], options: Options): string;
  /** Creates a provisioning file with only this partner. */
  document(names: string[], options: Options): object;
  createOptions(command: Command): Command;
  /** Options needed to identify a partner, such as the account of a key. */
  findOptions?(command: Command): Command;
  canBeDisabled: boolean;
  hasCallbacks?: boolean;
  secrets?: { default: SecretKind; byOption?: Record<string, SecretKind>; overlap: string };
}

export type Options = Record<string, string | number | boolean | string[] | undefined>;

/** Creates the commands `create`, `list` and `history`, and, if applicable, `rotate`, `disable` and `enable`. */
export function partnerCommand(partner: PartnerKind): Command {
  const group = makeCommand(partner.word).description(`create, list and change ${partner.word}s`);
  group.addCommand(createCommand(partner));
  group.addCommand(listCommand(partner));
  group.addCommand(historyCommand(partner));
  if (partner.secrets) group.addCommand(rotateCommand(partner, partner.secrets));
  if (partner.hasCallbacks) group.addCommand(callbackCommand(partner));
  if (partner.canBeDisabled) {
    group.addCommand(enableCommand(partner, 'disable', false));
    group.addCommand(enableCommand(partner, 'enable', true));
  }
  return group;
}

/** Omits options that were not given, so that they keep their value or get their default. */
export function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * The shelf-life rule of tenants and keys: a number of days, or `none` for no limit (commander would treat null as an
 * empty string).
 */
export function sellableDays(text: string): number | 'none' {
  return text === 'none' ? text : partnerNumber('sellableDays')(text);
}

export function noneAsNull(value: unknown): unknown {
  return value === 'none' ? null : value;
}

/** For an option that is switched off. */
export function falseAsNull(value: unknown): unknown {
  return value === false ? null : value;
}

export const sellableDaysHelp =
  'sell units until this many days before their expiry date; none: also sell expired units (default: 0, through the expiry date)';

export function secretFrom(file: unknown): string | undefined {
  return typeof file === 'string' ? readInputText(file).trim() : undefined;
}

function createCommand(partner: PartnerKind): Command {
  const command = storeCommand(
    'create',
    `create ${withArticle(partner.word)}`,
    async (store, config, ...args: unknown[]) => {
      const { names, options } = split(partner, args);
      const document = partner.document(names, options);
      return await createOrChange({ store, config, partner }, document, 'new', 'create');
    },
  );
  return partner.createOptions(withNames(command, partner));
}

function enableCommand(partner: PartnerKind, verb: 'enable' | 'disable', enabled: boolean): Command {
  const command = storeCommand(
    verb,
    `${verb} ${withArticle(partner.word)}`,
    async (store, config, ...args: unknown[]) => {
      const { names, options } = split(partner, args);
      const document = partner.document(names, { ...options, enabled });
      return await createOrChange({ store, config, partner }, document, 'existing', verb);
    },
  );
  return withFindOptions(withNames(command, partner), partner);
}

/** Sets or removes the address for callbacks, which may happen long after the partner was created. */
function callbackCommand(partner: PartnerKind): Command {
  const command = storeCommand(
    'callback',
    `set or remove the callback URL of ${withArticle(partner.word)}`,
    async (store, config, ...args: unknown[]) => {
      const { names, options } = split(partner, args);
      if ((options.url === undefined) === (options.off !== true))
        throw new Failure(exitCodes.wrongUsage, 'give either --url or --off');
      const document = partner.document(names, {
        ...options,
        callbackUrl: options.off === true ? false : options.url,
        callbackSecretFile: options.secretFile,
        secretFile: undefined,
      });
      return await createOrChange({ store, config, partner }, document, 'existing', 'callback');
    },
  );
  return withNames(command, partner)
    .option('--url <url>', 'send callbacks of its documents to this URL')
    .option('--off', 'send no callbacks')
    .option(
      '--secret-file <file>',
      'file with the callback secret (default: it keeps its secret, or a new one is generated and shown once)',
    );
}

/** Options of partners that have an address for callbacks. */
export function withCallbackOptions(command: Command): Command {
  return command
    .option('--callback-url <url>', 'send callbacks of its documents to this URL')
    .option(
      '--callback-secret-file <file>',
      'file with the callback secret (default: a new one is generated and shown once)',
    );
}

export async function createOrChange(
  { store, config, partner }: { store: Store; config: Config; partner: Pick<PartnerKind, 'word' | 'kind'> },
  document: object,
  state: 'new' | 'existing',
  verb: string,
): Promise<CommandResult> {
  const outcome = await applyOne(store.database, store.keyring, document, {
    actor: `${partner.word} ${verb} (${userName()})`,
    expect: { kind: partner.kind, state },
    guard: await callbackGuardNow(store.database, config),
  });
  switch (outcome.kind) {
    case 'applied':
      return { json: appliedAnswer(outcome), text: formatApplied(outcome) };
    case 'malformed': {
      const mistakes = withHints(outcome.mistakes).map(
        ({ path, message }) => `${formatPath(path.slice(-1))}: ${formatMessage(message)}`,
      );
      throw new Failure(exitCodes.wrongUsage, 'nothing was changed:', mistakes);
    }
    case 'refused':
      throw new Failure(exitCodes.refused, 'nothing was changed:', [...new Set(outcome.mistakes.map(formatRefusal))]);
    default:
      return outcome satisfies never;
  }
}

/** Most refusals are sentences about a partner; that of an address is a rule for the field. */
function formatRefusal({ path, message, reason }: PartnerMistake): string {
  const text = formatMessage(message);
  return reason === 'address' ? `${formatPath(path.slice(-1))}: ${text}` : text;
}

function listCommand(partner: PartnerKind): Command {
  return storeCommand('list', `list all ${partner.word}s`, async (store) => {
    const rows = await store.database.read(noAccounts, (sql) => listPartners(sql, partner.kind));
    return {
      json: rows,
      text: formatTable(
        rows,
        `there are no ${partner.word}s yet; create one with: lading ${partner.word} create --help`,
      ),
    };
  });
}

function historyCommand(partner: PartnerKind): Command {
  const command = storeCommand(
    'history',
    `show all changes to ${withArticle(partner.word)}`,
    async (store, _config, ...args: unknown[]) => {
      const { names, options } = split(partner, args);
      const name = partner.ownName(names, options);
      const rows = await store.database.read(noAccounts, (sql) => listPartnerChanges(sql, partner.kind, name));
      if (rows.length === 0) throw new Failure(exitCodes.refused, `${partner.word} ${name} does not exist`);
      const table = rows.map(({ changed_at, actor, change, fields }) => ({ changed_at, actor, change, fields }));
      return { json: rows, text: formatTable(table, '') };
    },
  );
  return withFindOptions(withNames(command, partner), partner);
}

function rotateCommand(partner: PartnerKind, secrets: NonNullable<PartnerKind['secrets']>): Command {
  const command = storeCommand(
    'rotate',
    `generate a new secret for ${withArticle(partner.word)}`,
    async (store, _config, ...args: unknown[]) => {
      const { names, options } = split(partner, args);
      const owner = partner.ownName(names, options);
      const chosen = Object.entries(secrets.byOption ?? {}).find(([option]) => options[option] === true);
      const kind = chosen?.[1] ?? secrets.default;
      const overlapSeconds = options.overlap as unknown as number;
      const outcome = await rotateSecret(
        store.database,
        store.keyring,
        { kind, owner },
        { actor: `${partner.word} rotate (${userName()})`, overlapSeconds },
      );
      if (outcome.kind === 'not_found')
        throw new Failure(
          exitCodes.refused,
          `there is no ${secretKinds[kind].called} of ${owner}; nothing was changed`,
        );
      const { issued, previousValidUntil } = outcome;
      const fate = overlapSeconds > 0 ? `remains valid until ${formatTime(previousValidUntil)}` : 'is no longer valid';
      return {
        json: { ...issued, previous_valid_until: previousValidUntil },
        text: `new ${secretKinds[kind].called} of ${owner}, shown only once: ${issued.value}\nthe previous one ${fate}`,
      };
    },
  );
  withFindOptions(withNames(command, partner), partner);
  for (const [option, kind] of Object.entries(secrets.byOption ?? {})) {
    command.option(
      `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      `rotate the ${secretKinds[kind].called} instead`,
    );
  }
  return command.option(
    '--overlap <time>',
    'how long the previous secret remains valid: 90s, 30m, 24h, 7d, 0',
    secondsOf,
    secondsOf(secrets.overlap),
  );
}

export function secondsOf(text: string): number {
  const parts = /^(\d{1,6})([smhd]?)$/.exec(text);
  const unit = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }[parts?.[2] ?? ''] ?? 1;
  if (!parts || (parts[2] === '' && parts[1] !== '0'))
    throw new InvalidArgumentError('It must be a duration such as 90s, 30m, 24h, 7d or 0.');
  return Number(parts[1]) * unit;
}

function withNames(command: Command, { names }: PartnerKind): Command {
  for (const name of names) command.argument(`<${name}>`);
  return command;
}

function withFindOptions(command: Command, { findOptions }: PartnerKind): Command {
  return findOptions ? findOptions(command) : command;
}

function split({ names }: PartnerKind, args: unknown[]): { names: string[]; options: Options } {
  return { names: args.slice(0, names.length) as string[], options: args[names.length] as Options };
}

function withArticle(word: string): string {
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`;
}
