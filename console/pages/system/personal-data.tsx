import type {
  PersonalData,
  RecipientAction,
  SystemErasure,
  systemPersonalData,
} from '../../../contract/console/system.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { column, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Facts } from '../../kit/facts.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { formatDate } from '../../kit/time-text.ts';
import { useActorName } from '../../kit/use-actor-name.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { Subject } from '../audit-log/subject.tsx';
import { words as auditWords } from '../audit-log/words.ts';
import { words } from './words.ts';

/** For the data protection officer: retention, how many recipients are stored, erasures, and who looked at them. */
export function PersonalDataSections() {
  const asked = useAsk<typeof systemPersonalData>('/system/personal-data', {}, { topics: ['orders'] });
  return (
    <AskedContent asked={asked} lines={6}>
      {(found) => (
        <div id="personal-data">
          <Stored found={found} />
          <Erasures erasures={found.erasures} />
          <Actions actions={found.actions} />
        </div>
      )}
    </AskedContent>
  );
}

function Stored({ found: { retention_days, ages } }: { found: PersonalData }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const retention = retention_days === null ? say.retentionOff : say.retentionDays(formatNumber(retention_days));
  return (
    <Section title={say.personalData}>
      <Facts
        facts={[
          { label: say.retention, value: retention, wide: true },
          ...ages.map(({ from_days, to_days, count, is_more }) => ({
            label:
              to_days === null
                ? say.endedLongAgo(formatNumber(from_days))
                : say.endedAgo(formatNumber(from_days), formatNumber(to_days)),
            value: is_more ? shared.cappedCount(formatNumber(count)) : formatNumber(count),
          })),
        ]}
      />
    </Section>
  );
}

function Erasures({ erasures }: { erasures: SystemErasure[] }) {
  const say = useWords(words);
  const nameOf = useActorName();
  const columns: Column<SystemErasure>[] = [
    column('started', say.started, (one) => <Time at={one.started_at} absolute />, { alwaysShown: true }),
    column('by', say.by, (one) =>
      one.finished_at === null ? `${nameOf(one.actor)} (${say.unfinished})` : nameOf(one.actor),
    ),
    column('ended_before', say.endedBefore, (one) => formatDate(one.ended_before)),
    numberColumn('orders', say.orders, (one) => one.orders),
    numberColumn('callbacks', say.callbacks, (one) => one.callbacks),
    numberColumn('notes', say.notes, (one) => one.notes),
  ];
  return (
    <Section title={say.erasures} flush>
      <DataTable
        bare
        name="system-erasures"
        label={say.erasures}
        columns={columns}
        list={plainRows(erasures, (one) => String(one.recipient_erasure_id))}
        rowName={(one) => one.started_at}
        empty={<EmptyState title={say.erasuresNone} hint={say.erasuresNoneHint} />}
      />
    </Section>
  );
}

function Actions({ actions }: { actions: RecipientAction[] }) {
  const say = useWords(words);
  const audit = useWords(auditWords);
  const nameOf = (names: Record<string, string>, key: string | null) => (key === null ? null : (names[key] ?? key));
  const columns: Column<RecipientAction>[] = [
    column('at', audit.at, (one) => <Time at={one.at} absolute />, { alwaysShown: true }),
    column('who', audit.who, (one) => one.who),
    column('action', audit.action, (one) => nameOf(audit.name, one.action)),
    column('subject', audit.subject, (one) => <Subject subject={one.subject} />),
    column('outcome', audit.outcome, (one) => nameOf(audit.outcomeName, one.outcome)),
  ];
  return (
    <Section title={say.recipientActions} flush>
      <DataTable
        bare
        name="system-recipient-actions"
        label={say.recipientActions}
        columns={columns}
        list={plainRows(actions, (one) => one.row_key)}
        rowName={(one) => one.at}
        empty={<EmptyState title={say.recipientActionsNone} hint={say.recipientActionsHint} />}
      />
    </Section>
  );
}
