import type { KeptLine } from '../../faults/measured-page.ts';
import type { Bar } from './bar-chart.ts';
import { figuresOf, type SummaryPart, withCommas } from './summary.ts';

/** What a buyer wants to know about faults. Parts that were not measured are left out. */
export function summarizeReliability(lines: KeptLine[]): SummaryPart[] {
  return [acknowledged(lines), outages(lines), failover(lines)].filter((part) => part !== null);
}

const clusterFault = '19 failover';

function acknowledged(lines: KeptLine[]): SummaryPart | null {
  const rows = overviewsOf(lines);
  if (rows.length === 0) return null;
  const sum = (column: string) => rows.reduce((total, figures) => total + (Number(figures[column]) || 0), 0);
  const bars = rows.map((figures): Bar => {
    const count = Number(figures.acknowledged);
    return { label: faultOf(figures), value: count, text: `${withCommas(count)}, ${figures.lost} lost`, isOurs: true };
  });
  return {
    file: 'acknowledged-changes',
    sentence: `${withCommas(sum('acknowledged'))} changes were acknowledged while processes were killed, disks filled up and networks failed: ${sum('lost')} of them were lost, ${sum('duplicated')} were done twice, and ${sum('oversold')} units were promised twice.`,
    chart: { title: 'Acknowledged changes, and how many were lost, by fault', bars },
  };
}

function outages(lines: KeptLine[]): SummaryPart | null {
  const rows = overviewsOf(lines).filter(
    (figures) => typeof figures['longest outage, ms'] === 'number' && figures.fault !== clusterFault,
  );
  const killed = rows.find((figures) => String(figures.fault).endsWith(' kill-node'));
  if (killed === undefined) return null;
  const seconds = (figures: KeptLine['figures']) => Number(figures['longest outage, ms']) / 1000;
  const longest = rows.toSorted((a, b) => seconds(b) - seconds(a))[0]!;
  return {
    file: 'longest-outages',
    sentence: `While one of three nodes was killed ${killed.rounds} times, there was always service within ${formatSeconds(seconds(killed))}; the longest outage on one machine, in the fault ${faultOf(longest)}, was ${formatSeconds(seconds(longest))}.`,
    chart: {
      title: 'Longest time in which no caller was served, seconds',
      bars: rows.map((row) => timeBar(faultOf(row), seconds(row))),
    },
  };
}

function failover(lines: KeptLine[]): SummaryPart | null {
  const rows = lines.filter(({ subject }) => subject === clusterFault);
  const bars = rows.flatMap(({ figures }) => {
    const kind = /^(.+): s without a change$/.exec(String(figures.what));
    const median = /median ([\d.]+)/.exec(String(figures.seen));
    return kind && median ? [timeBar(kind[1]!, Number(median[1]))] : [];
  });
  const [overview] = figuresOf(lines, clusterFault, 'overview');
  if (overview === undefined || bars.length === 0) return null;
  const values = bars.map(({ value }) => value);
  return {
    file: 'failover',
    sentence: `A cluster of three databases met ${overview.rounds} faults and recovered from each without help; ${overview.lost} of ${withCommas(Number(overview.acknowledged))} acknowledged changes were lost, and it took changes again after ${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)} s.`,
    chart: {
      title: 'Time until a cluster takes changes again, median in seconds',
      bars: bars.toSorted((a, b) => a.value - b.value),
    },
  };
}

function overviewsOf(lines: KeptLine[]): KeptLine['figures'][] {
  return lines.filter(({ title }) => title === 'overview').map(({ figures }) => figures);
}

/** Without its number. */
function faultOf({ fault }: KeptLine['figures']): string {
  return String(fault).replace(/^\d+ /, '');
}

function formatSeconds(seconds: number): string {
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
}

function timeBar(label: string, seconds: number): Bar {
  return { label, value: seconds, text: seconds.toFixed(1), isOurs: true };
}
