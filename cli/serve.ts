import { type Command, Option } from 'commander';
import { configOrFail, exitCodesHelp, makeCommand, runCommandLine, settingsHelp } from './command-line.ts';
import type { ServeOptions } from './start-node.ts';

export function serveCommand(): Command {
  return makeCommand('serve')
    .description('run the service')
    .option('--apply <file>', 'apply a provisioning file (JSON or YAML) first')
    .option('--no-demo', 'create no demo account on an empty database, so that no credentials are printed')
    .option('--no-migrate', 'do not apply pending migrations; fail to start if there are any')
    .addOption(new Option('--role <role>', 'role of this node').choices(['api', 'worker', 'both']).default('both'))
    .addHelpText('after', settingsHelp())
    .addHelpText('after', exitCodesHelp)
    .action(async (_own: unknown, command: Command) => {
      const options = command.optsWithGlobals<ServeOptions>();
      const config = configOrFail();
      // Loaded on demand: it takes most of a second, and the other commands do not need it.
      const { serve } = await import('./start-node.ts');
      await serve(config, options);
    });
}

if (import.meta.main) await runCommandLine(serveCommand(), process.argv.slice(2));
