import { removeWhenBrokenOff } from './child-process.ts';
import { type FailoverTask, runFailover } from './failover-run.ts';

/** Runs in the network of the nodes, etcd and haproxy. */
const task: FailoverTask = JSON.parse(process.argv[2]!);
removeWhenBrokenOff();
const report = await runFailover(task, (line) => void process.stderr.write(`${line}\n`));
process.stdout.write(JSON.stringify(report), () => process.exit());
