import { type Command, InvalidArgumentError } from 'commander';
import { userName } from '../server/apply-file.ts';
import { exitCodes, Failure, makeCommand } from '../server/command-line.ts';
import { applyOne } from '../server/domain/partners/apply-one.ts';
import { listPartnerChanges, listPartners } from '../server/domain/partners/partner-queries.ts';
import { rotateSecret } from '../server/domain/partners/rotate-secret.ts';
import { type SecretKind, secretKinds } from '../server/domain/partners/secret.ts';
import type { SubjectKind } from '../server/domain/partners/subject.ts';
import { readInputText } from '../server/input-file.ts';
import type { Store } from '../server/open-store.ts';
import { wordPath } from '../server/platform/schema.ts';
import { appliedAnswer, wordApplied } from '../server/provisioning-report.ts';
import { type CommandAnswer, storeCommand, wordTable } from './store-command.ts';

/** What a kind of partner needs to have its commands. */
export interface PartnerKind {
  /** The word on the command line. */
  word: string;
  kind: SubjectKind;
  /** The arguments that name one, such as `<account_no>`. */
  names: string[];
  /** The same as one name, as it stands in the audit log. */
  ownName(names: string[], options: Options): string;
  /** A provisioning file of this one partner. */
  document(names: string[], options: Options): object;
  createOptions(command: Command): Command;
  /** Needed to find one, such as the account of a key. */
  findOptions?(command: Command): Command;
  canBeDisabled: boolean;
  secrets?: { default: SecretKind; byOption?: Record<string, SecretKind>; overlap: string };
}

export type Options = Record<string, string | number | boolean | string[] | undefined>;

/** `create`, `list`, `history`, and where it makes sense `rotate`, `disable`, `enable`. */
export function partnerCommand(partner: PartnerKind): Command {
  const group = makeCommand(partner.word).description(`create, list and change ${partner.word}s`);
  group.addCommand(createCommand(partner));
  group.addCommand(listCommand(partner));
  group.addCommand(historyCommand(partner));
  if (partner.secrets) group.addCommand(rotateCommand(partner, partner.secrets));
  if (partner.canBeDisabled) {
    group.addCommand(enableCommand(partner, 'disable', false));
    group.addCommand(enableCommand(partner, 'enable', true));
  }
  return group;
}

/** Leaves out what was not given, so that it stays as it is or takes its default. */
export function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** The shelf-life rule of tenants and keys: a number of days, or none for no limit, which commander would take for empty text if it were null here. */
export function sellableDays(text: string): number | 'none' {
  return text === 'none' ? text : wholeNumber(text);
}

export function noneAsNull(value: unknown): unknown {
  return value === 'none' ? null : value;
}

export const sellableDaysHelp =
  'sell units until so many days before their expiry date; none: also what has expired (default: 0, through the expiry date)';

export function secretFrom(file: unknown): string | undefined {
  return typeof file === 'string' ? readInputText(file).trim() : undefined;
}

function createCommand(partner: PartnerKind): Command {
  const command = storeCommand('create', `create ${withArticle(partner.word)}`, async (store, _config, ...args: unknown[]) => {
    const { names, options } = split(partner, args);
    return await createOrChange(store, partner, partner.document(names, options), 'new', `${partner.word} create`);
  });
  return partner.createOptions(withNames(command, partner));
}

function enableCommand(partner: PartnerKind, verb: 'enable' | 'disable', enabled: boolean): Command {
  const command = storeCommand(verb, `${verb} ${withArticle(partner.word)}`, async (store, _config, ...args: unknown[]) => {
    const { names, options } = split(partner, args);
    return await createOrChange(store, partner, partner.document(names, { ...options, enabled }), 'existing', `${partner.word} ${verb}`);
  });
  return withFindOptions(withNames(command, partner), partner);
}

async function createOrChange(
  store: Store,
  { kind }: PartnerKind,
  document: object,
  state: 'new' | 'existing',
  verb: string,
): Promise<CommandAnswer> {
  const outcome = await applyOne(store.database, store.keyring, document, { actor: `${verb} (${userName()})`, expect: { kind, state } });
  switch (outcome.kind) {
    case 'applied':
      return { json: appliedAnswer(outcome), words: wordApplied(outcome) };
    case 'malformed': {
      const mistakes = outcome.mistakes.map(({ path, message }) => `${wordPath(path.slice(-1))}: ${message}`);
      throw new Failure(exitCodes.wrongUsage, 'nothing was changed:', mistakes);
    }
    case 'refused':
      throw new Failure(exitCodes.refused, 'nothing was changed:', [...new Set(outcome.mistakes.map(({ message }) => message))]);
    default:
      return outcome satisfies never;
  }
}

function listCommand(partner: PartnerKind): Command {
  return storeCommand('list', `list all ${partner.word}s`, async (store) => {
    const rows = await store.database.read((sql) => listPartners(sql, partner.kind));
    return { json: rows, words: wordTable(rows, `there is no ${partner.word} yet; make one with: lading ${partner.word} create --help`) };
  });
}

function historyCommand(partner: PartnerKind): Command {
  const command = storeCommand(
    'history',
    `show every change of ${withArticle(partner.word)}`,
    async (store, _config, ...args: unknown[]) => {
      const { names, options } = split(partner, args);
      const name = partner.ownName(names, options);
      const rows = await store.database.read((sql) => listPartnerChanges(sql, partner.kind, name));
      if (rows.length === 0) throw new Failure(exitCodes.refused, `${partner.word} ${name} does not exist`);
      const table = rows.map(({ changed_at, actor, change, fields }) => ({ changed_at, actor, change, fields }));
      return { json: rows, words: wordTable(table, '') };
    },
  );
  return withFindOptions(withNames(command, partner), partner);
}

function rotateCommand(partner: PartnerKind, secrets: NonNullable<PartnerKind['secrets']>): Command {
  const command = storeCommand(
    'rotate',
    `make a new secret for ${withArticle(partner.word)}`,
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
        throw new Failure(exitCodes.refused, `there is no ${secretKinds[kind].called} of ${owner}; nothing was changed`);
      const { issued, previousValidUntil } = outcome;
      const fate = overlapSeconds > 0 ? `stays valid until ${previousValidUntil.toISOString()}` : 'is no longer valid';
      return {
        json: { ...issued, previous_valid_until: previousValidUntil },
        words: `new ${secretKinds[kind].called} of ${owner}, shown this once: ${issued.value}\nthe one before ${fate}`,
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
    'how long the one before stays valid: 90s, 30m, 24h, 7d, 0',
    secondsOf,
    secondsOf(secrets.overlap),
  );
}

export function secondsOf(text: string): number {
  const parts = /^(\d{1,6})([smhd]?)$/.exec(text);
  const unit = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }[parts?.[2] ?? ''] ?? 1;
  if (!parts || (parts[2] === '' && parts[1] !== '0')) throw new InvalidArgumentError('It must be like 90s, 30m, 24h, 7d or 0.');
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
