import type { FaultReport } from './fault.ts';

/** Combines the reports of a fault that ran in several variants, each in its own world. */
export function combineReports(
  fault: string,
  parts: { name: string; rounds: number; report: Omit<FaultReport, 'fault' | 'rounds'> }[],
): FaultReport {
  const reports = parts.map(({ report }) => report);
  const sum = (
    count: 'acknowledged' | 'lost' | 'duplicated' | 'oversold' | 'wrong' | 'callbacksOwed' | 'callbacksMissing',
  ) => reports.reduce((total, report) => total + (report[count] ?? 0), 0);
  return {
    fault,
    rounds: parts.reduce((total, { rounds }) => total + rounds, 0),
    acknowledged: sum('acknowledged'),
    lost: sum('lost'),
    duplicated: sum('duplicated'),
    oversold: sum('oversold'),
    wrong: sum('wrong'),
    callbacksOwed: sum('callbacksOwed'),
    callbacksMissing: sum('callbacksMissing'),
    longestOutageMs: Math.max(...reports.map((report) => report.longestOutageMs ?? 0)),
    audit: reports.find((report) => report.audit !== 'clean')?.audit ?? 'clean',
    figures: Object.fromEntries(
      parts.flatMap(({ name, report }) =>
        Object.entries(report.figures ?? {}).map(([what, figure]) => [`${name}: ${what}`, figure]),
      ),
    ),
    findings: parts.flatMap(({ name, report }) => report.findings.map((finding) => `${name}: ${finding}`)),
  };
}
