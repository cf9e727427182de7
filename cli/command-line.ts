import { Command, CommanderError } from 'commander';
import { type Config, readConfig } from '../server/config.ts';
import { CannotRun } from '../server/open-store.ts';
import { UnknownMasterKey } from '../server/platform/keyring.ts';
import { BackupError } from '../server/platform/postgres/backup/backup-error.ts';
import { DatabaseUnavailable } from '../server/platform/postgres/deadline.ts';
import { EmbeddedPostgresError } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { isUnavailable } from '../server/platform/postgres/errors.ts';
import { settings } from '../server/settings.ts';
import { version } from '../server/version.ts';
import { chooseLook } from './look.ts';

/** The exit codes of all commands, for scripts. */
export const exitCodes = { done: 0, refused: 1, wrongUsage: 2, cannotRun: 3 } as const;

/** Ends a command with a message for people and an exit code for scripts. */
export class Failure extends Error {
  exitCode: number;
  details: string[];
  constructor(exitCode: number, message: string, details: string[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.details = details;
  }
}

export function makeCommand(name: string): Command {
  return new Command(name)
    .option('--json', 'print the result as JSON')
    .option('--wide', 'do not fit tables to the terminal')
    .option('--utc', 'show times in UTC instead of Asia/Taipei')
    .exitOverride()
    .showHelpAfterError('(see --help)');
}

/** Reads the settings, or fails with a list of all errors. */
export function configOrFail(): Config {
  const reading = readConfig();
  if (reading.kind === 'mistakes') throw new Failure(exitCodes.wrongUsage, 'invalid settings:', reading.mistakes);
  return reading.config;
}

export function settingsHelp(): string {
  const width = Math.max(...settings.map(({ name }) => name.length)) + 2;
  const lines = settings.map((setting) => {
    const file = 'secret' in setting ? `; or ${setting.name}_FILE` : '';
    return `  ${setting.name.padEnd(width)}${setting.meaning} (default: ${setting.fallback}${file})`;
  });
  return `\nSettings (environment variables):\n${lines.join('\n')}\n`;
}

export const exitCodesHelp = `
Exit codes:
  0  success
  1  rejected or not found; nothing was changed
  2  invalid usage or settings
  3  cannot run: database unavailable, data unusable, port in use
`;

/** Runs a command line and reports every failure. */
export async function runCommandLine(program: Command, args: string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.off('error', ignoreClosedReader).on('error', ignoreClosedReader);
  try {
    await program
      .version(version)
      .hook('preAction', (_program, command) => chooseLook(command.optsWithGlobals()))
      .parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = reportFailure(error, args.includes('--json'));
  }
}

/** A reader such as `head` may close the pipe early; that is not a failure. */
function ignoreClosedReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function reportFailure(error: unknown, asJson: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
  const failure = failureOf(error);
  if (asJson) process.stderr.write(`${JSON.stringify({ error: failure.message, details: failure.details })}\n`);
  else
    process.stderr.write(
      `lading: ${[failure.message, ...failure.details.map((detail) => `  ${detail}`)].join('\n')}\n`,
    );
  return failure.exitCode;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const isKnown = [CannotRun, EmbeddedPostgresError, DatabaseUnavailable, UnknownMasterKey].some(
    (kind) => error instanceof kind,
  );
  if (isKnown) return new Failure(exitCodes.cannotRun, (error as Error).message);
  if (error instanceof BackupError) return new Failure(exitCodes.refused, error.message);
  const { code, message } = error as NodeJS.ErrnoException;
  if (isUnavailable(error)) return new Failure(exitCodes.cannotRun, `the database is out of reach (${code})`);
  return new Failure(exitCodes.cannotRun, `unexpected failure: ${message}`);
}
