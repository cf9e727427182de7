import { Command, CommanderError } from 'commander';
import { type Config, readConfig, settings } from './config.ts';
import { CannotRun } from './open-store.ts';
import { DatabaseUnavailable, isUnavailable } from './platform/database.ts';
import { EmbeddedPostgresError } from './platform/embedded-postgres.ts';
import { UnknownMasterKey } from './platform/keyring.ts';
import { version } from './version.ts';

/** What a command's exit says to a script. */
export const exitCodes = { done: 0, refused: 1, wrongUsage: 2, cannotRun: 3 } as const;

/** Ends a command with a message for a person and a code for a script. */
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
  return new Command(name).option('--json', 'answer in JSON').exitOverride().showHelpAfterError('(--help tells more)');
}

/** The settings, or one list of everything that is wrong with them. */
export function configOrFail(): Config {
  const reading = readConfig();
  if (reading.kind === 'mistakes') throw new Failure(exitCodes.wrongUsage, 'these settings are wrong:', reading.mistakes);
  return reading.config;
}

export function settingsHelp(): string {
  const width = Math.max(...settings.map(({ name }) => name.length)) + 2;
  const lines = settings.map((setting) => {
    const file = 'secret' in setting ? `; or ${setting.name}_FILE` : '';
    return `  ${setting.name.padEnd(width)}${setting.meaning} (default: ${setting.fallback}${file})`;
  });
  return `\nSettings, from the environment:\n${lines.join('\n')}\n`;
}

export const exitCodesHelp = `
Exit codes:
  0  done
  1  refused, or not found; nothing was changed
  2  wrong usage or wrong settings
  3  cannot run: database out of reach, data unusable, port taken
`;

/** Runs a command line to its end; every failure is worded here. */
export async function runCommandLine(program: Command, args: string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.off('error', ignoreClosedReader).on('error', ignoreClosedReader);
  try {
    await program.version(version).parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = reportFailure(error, args.includes('--json'));
  }
}

/** `lading ... | head` has seen enough; that is no failure of ours. */
function ignoreClosedReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function reportFailure(error: unknown, asJson: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
  const failure = failureOf(error);
  if (asJson) process.stderr.write(`${JSON.stringify({ error: failure.message, details: failure.details })}\n`);
  else process.stderr.write(`lading: ${[failure.message, ...failure.details.map((detail) => `  ${detail}`)].join('\n')}\n`);
  return failure.exitCode;
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const isKnown = [CannotRun, EmbeddedPostgresError, DatabaseUnavailable, UnknownMasterKey].some((kind) => error instanceof kind);
  if (isKnown) return new Failure(exitCodes.cannotRun, (error as Error).message);
  const { code, message } = error as NodeJS.ErrnoException;
  if (isUnavailable(error)) return new Failure(exitCodes.cannotRun, `the database is out of reach (${code})`);
  return new Failure(exitCodes.cannotRun, `unexpected failure: ${message}`);
}
