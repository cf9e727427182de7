import type { Command } from 'commander';
import { exitCodesHelp, makeCommand, runCommandLine, settingsHelp } from './command-line.ts';

/** Commands are loaded on demand: loading all of them takes three times as long as loading one. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  apply: async () => (await import('./apply.ts')).applyCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  reseal: async () => (await import('./reseal.ts')).resealCommand(),
  distribute: async () => (await import('./distribute.ts')).distributeCommand(),
  warehouse: async () => (await import('./warehouse.ts')).warehouseCommand(),
  store: async () => (await import('./store.ts')).storeCommandGroup(),
  account: async () => (await import('./account.ts')).accountCommand(),
  tenant: async () => (await import('./tenant.ts')).tenantCommand(),
  client: async () => (await import('./client.ts')).clientCommand(),
  key: async () => (await import('./key.ts')).keyCommand(),
  operator: async () => (await import('./operator.ts')).operatorCommand(),
  'token-key': async () => (await import('./token-key.ts')).tokenKeyCommand(),
  sign: async () => (await import('./sign.ts')).signCommand(),
  call: async () => (await import('./call.ts')).callCommand(),
  status: async () => (await import('./status.ts')).statusCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  products: async () => (await import('./products.ts')).productsCommand(),
  stock: async () => (await import('./stock.ts')).stockCommand(),
  order: async () => (await import('./order.ts')).orderCommand(),
  inbound: async () => (await import('./inbound.ts')).inboundCommand(),
  transfer: async () => (await import('./transfer.ts')).transferCommand(),
  audit: async () => (await import('./audit.ts')).auditCommand(),
  purge: async () => (await import('./purge.ts')).purgeCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  restore: async () => (await import('./restore.ts')).restoreCommand(),
  callbacks: async () => (await import('./callbacks.ts')).callbacksCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(),
  demo: async () => (await import('./demo.ts')).demoCommand(),
};

/** The command line with the command named in the arguments, or with all if none is named, or if all are needed. */
export async function ladingProgram(args: string[]): Promise<Command> {
  const program = makeCommand('lading')
    .description('Order management: products, inbound documents, orders and stock that is always right.')
    .addHelpText('after', settingsHelp())
    .addHelpText('after', exitCodesHelp);
  const named = args.find((argument) => Object.hasOwn(commands, argument));
  const needsAll = named === undefined || named === 'completion';
  for (const load of needsAll ? Object.values(commands) : [commands[named]!]) program.addCommand(await load());
  return program;
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  await runCommandLine(await ladingProgram(args), args);
}
