import { type Command, Option } from 'commander';
import { configOrFail, exitCodesHelp, makeCommand, runCommandLine, settingsHelp } from './command-line.ts';
import type { ServeOptions } from './serve.ts';

export function serveCommand(): Command {
  return makeCommand('serve')
    .description('run the service')
    .option('--apply <file>', 'apply a provisioning file (JSON or YAML) first')
    .option('--no-migrate', 'refuse to start when the database lacks migrations, instead of applying them')
    .addOption(new Option('--role <role>', 'what this node does').choices(['api', 'worker', 'both']).default('both'))
    .addHelpText('after', settingsHelp())
    .addHelpText('after', exitCodesHelp)
    .action(async (_own: unknown, command: Command) => {
      const options = command.optsWithGlobals<ServeOptions>();
      const config = configOrFail();
      // The other commands need none of this, and it takes most of a second to load.
      const { serve } = await import('./serve.ts');
      await serve(config, options);
    });
}

if (import.meta.main) await runCommandLine(serveCommand(), process.argv.slice(2));
