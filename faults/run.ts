import { type CallbacksRound, callbacksKilled } from './callbacks-killed.ts';
import { flood } from './flood.ts';
import { type KillRound, killEverything } from './kill-everything.ts';
import { type HealRound, postgresKilled } from './postgres-killed.ts';
import { slowConnections } from './slow-connections.ts';
import { twoNodes } from './two-nodes.ts';
import { wavesKilled } from './waves-killed.ts';

const quick = process.argv.includes('--quick');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const chosen = (name: string) => wanted.length === 0 || wanted.includes(name);

if (chosen('kill')) {
  const rounds: KillRound[] = [];
  await killEverything(quick ? 4 : 20, (round) => {
    rounds.push(round);
    process.stdout.write(`kill -9, round ${rounds.length}: ${JSON.stringify(round)}\n`);
  });
  console.table(rounds);
  if (rounds.some((round) => round.lost > 0)) process.exitCode = 1;
}

if (chosen('heal')) {
  const rounds: HealRound[] = [];
  await postgresKilled(quick ? 2 : 8, (round) => {
    rounds.push(round);
    process.stdout.write(`kill -9 of PostgreSQL under load, round ${rounds.length}: ${JSON.stringify(round)}\n`);
  });
  const strange = rounds.flatMap(({ answers }) => Object.keys(answers)).filter((status) => status !== '200' && status !== '503');
  if (strange.length > 0) process.exitCode = 1;
}

if (chosen('nodes')) {
  const { nodes, acknowledged, audit, findings } = await twoNodes({ kills: quick ? 8 : 30 });
  console.table(nodes);
  console.table([acknowledged]);
  process.stdout.write(`lading audit: ${audit}\n`);
  for (const { kind, what } of findings.slice(0, 20)) process.stdout.write(`${kind}: ${what.slice(0, 1000)}\n`);
  if (findings.length > 0) process.exitCode = 1;
}

if (chosen('slow')) {
  const measures = await slowConnections({ connections: 2000, seconds: quick ? 4 : 15 });
  console.table(measures);
  const [alone, among] = measures;
  process.stdout.write(`p50 among slow connections / alone: ${(among!.p50Ms / alone!.p50Ms).toFixed(2)}\n`);
  if (measures.some((measure) => measure.failed > 0)) process.exitCode = 1;
}

if (chosen('flood')) {
  const measures = await flood({ seconds: quick ? 4 : 10, connections: [64, 500, 2000, 5000] });
  console.table(measures);
  const [few, ...others] = measures;
  const ratios = others.map(({ connections, servedPerSecond }) => `${connections}: ${(servedPerSecond / few!.servedPerSecond).toFixed(2)}`);
  process.stdout.write(`served per second, as a ratio of 64 connections: ${ratios.join(', ')}\n`);
  if (measures.some((measure) => measure.other > 0)) process.exitCode = 1;
}

if (chosen('callbacks')) {
  const rounds: CallbacksRound[] = [];
  await callbacksKilled({ kills: quick ? 5 : 50, killsOfService: quick ? 2 : 5 }, (round) => {
    rounds.push(round);
    process.stdout.write(`kill -9 of a worker in mid-delivery: ${JSON.stringify(round)}\n`);
  });
  console.table(rounds);
  const [oneAtATime, , oneKill] = rounds;
  const isWrong = ({ lost, outOfOrder, duplicates, inHandAtKills, delivered, callbacks }: CallbacksRound) =>
    lost > 0 || outOfOrder > 0 || duplicates > inHandAtKills || delivered !== callbacks;
  const isTooLate = oneKill!.longestDelayMs > 30_000;
  if (rounds.some(isWrong) || isTooLate || oneAtATime!.duplicates > oneAtATime!.kills) process.exitCode = 1;
}

if (chosen('waves')) {
  const { wrong, ...round } = await wavesKilled({ kills: quick ? 20 : 100 }, (kills) => {
    if (kills % 10 === 0) process.stdout.write(`kill -9 of a worker in mid-wave: ${kills}\n`);
  });
  console.table([round]);
  console.table([wrong]);
  if (Object.values(wrong).some((count) => count > 0)) process.exitCode = 1;
}
