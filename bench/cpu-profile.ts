import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Output } from './figures.ts';

const functionsShown = 40;

/** The parts of V8's format that are used here. */
interface ProfileFile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Each thread of the service has written its own profile. */
export function reportCpuProfiles(folder: string, output: Output): void {
  const names = readdirSync(folder).sort();
  for (const [index, name] of names.entries()) {
    const title =
      names.length === 1 ? 'profile: self time of the service' : `profile: self time of the service, thread ${index}`;
    reportProfile(title, JSON.parse(readFileSync(join(folder, name), 'utf8')), output);
  }
}

function reportProfile(title: string, { nodes, samples, timeDeltas }: ProfileFile, output: Output): void {
  const placeOf = new Map(nodes.map(({ id, callFrame }) => [id, wordPlace(callFrame)]));
  const selfTime = new Map<string, number>();
  samples.forEach((id, index) => {
    const place = placeOf.get(id)!;
    selfTime.set(place, (selfTime.get(place) ?? 0) + timeDeltas[index]!);
  });
  selfTime.delete('(idle)');
  selfTime.delete('(program)');
  const total = [...selfTime.values()].reduce((sum, microseconds) => sum + microseconds, 0);
  const slowest = [...selfTime].sort(([, one], [, other]) => other - one).slice(0, functionsShown);
  for (const [place, microseconds] of slowest) {
    output.row(title, { place, '% of its work': Number(((100 * microseconds) / total).toFixed(1)) });
  }
}

function wordPlace({ functionName, url, lineNumber }: ProfileFile['nodes'][number]['callFrame']): string {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(server|contract)\//, '$1/');
  return url === '' ? functionName : `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`;
}
