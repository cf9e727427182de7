import type { SystemJob } from '../../../contract/console/system.ts';
import { column, timeColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { UpcomingTime } from '../../kit/time.tsx';
import { words } from './words.ts';

export function JobsTable({ jobs }: { jobs: SystemJob[] }) {
  const say = useWords(words);
  const nameOf = ({ name }: SystemJob) => (say.jobName as Record<string, string>)[name] ?? name;
  const columns: Column<SystemJob>[] = [
    column('name', say.job, nameOf, { alwaysShown: true }),
    timeColumn('last', say.lastRun, (job) => job.last_run_at, { width: 130 }),
    column('outcome', say.outcome, (job) =>
      job.is_failed ? (
        <StatusBadge tone="failed">{say.failed}</StatusBadge>
      ) : (
        job.last_outcome && <ServerText text={job.last_outcome} />
      ),
    ),
    column('next', say.nextRun, (job) => <UpcomingTime at={job.next_run_at} />, { width: 130 }),
  ];
  return (
    <Section title={say.jobs} flush>
      <DataTable
        bare
        name="system-jobs"
        label={say.jobs}
        columns={columns}
        list={plainRows(jobs, (job) => job.name)}
        rowName={nameOf}
        empty={<EmptyState title={say.jobsNone} hint={say.jobsNoneHint} />}
      />
    </Section>
  );
}
