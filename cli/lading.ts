import type { Command } from 'commander';
import { exitCodesHelp, makeCommand, runCommandLine, settingsHelp } from '../server/command-line.ts';
import { serveCommand } from '../server/main.ts';
import { accountCommand } from './account.ts';
import { applyCommand } from './apply.ts';
import { auditCommand } from './audit.ts';
import { callCommand } from './call.ts';
import { callbacksCommand } from './callbacks.ts';
import { clientCommand } from './client.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { inboundCommand } from './inbound.ts';
import { keyCommand } from './key.ts';
import { migrateCommand } from './migrate.ts';
import { operatorCommand } from './operator.ts';
import { orderCommand } from './order.ts';
import { purgeCommand } from './purge.ts';
import { signCommand } from './sign.ts';
import { stockCommand } from './stock.ts';
import { storeCommandGroup } from './store.ts';
import { tenantCommand } from './tenant.ts';
import { tokenKeyCommand } from './token-key.ts';
import { transferCommand } from './transfer.ts';
import { warehouseCommand } from './warehouse.ts';

const commands = [
  serveCommand,
  applyCommand,
  migrateCommand,
  warehouseCommand,
  storeCommandGroup,
  accountCommand,
  tenantCommand,
  clientCommand,
  keyCommand,
  operatorCommand,
  tokenKeyCommand,
  signCommand,
  callCommand,
  doctorCommand,
  stockCommand,
  orderCommand,
  inboundCommand,
  transferCommand,
  auditCommand,
  purgeCommand,
  callbacksCommand,
  demoCommand,
];
/** The whole command line: `lading <command>`. */
export function ladingProgram(): Command {
  const program = makeCommand('lading')
    .description('Order management: products, inbound documents, orders and stock that is always right.')
    .addHelpText('after', settingsHelp())
    .addHelpText('after', exitCodesHelp);
  for (const makeOne of commands) program.addCommand(makeOne());
  return program;
}

if (import.meta.main) await runCommandLine(ladingProgram(), process.argv.slice(2));
