import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Output } from './figures.ts';

const functionsShown = 40;

export interface CpuProfile {
  /** What the service must be started with; it writes its profile when it ends. */
  env: Record<string, string>;
  report(output: Output): void;
}

export function makeCpuProfile(): CpuProfile {
  const folder = mkdtempSync(join(tmpdir(), 'lading-profile-'));
  return {
    env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` },
    report(output) {
      for (const name of readdirSync(folder)) reportProfile(JSON.parse(readFileSync(join(folder, name), 'utf8')), output);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As V8 writes it, as far as it is used here. */
interface ProfileFile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

function reportProfile({ nodes, samples, timeDeltas }: ProfileFile, output: Output): void {
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
    output.row('self time of the service', { place, '% of its work': Number(((100 * microseconds) / total).toFixed(1)) });
  }
}

function wordPlace({ functionName, url, lineNumber }: ProfileFile['nodes'][number]['callFrame']): string {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(server|contract)\//, '$1/');
  return url === '' ? functionName : `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`;
}
