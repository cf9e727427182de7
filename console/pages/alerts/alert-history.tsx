import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { alertsHistory, ListedAlertMessage, ListedAlertRule } from '../../../contract/console/alerts.ts';
import { ask } from '../../kit/ask.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { column } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ExportMenu } from '../../kit/export-menu.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge, type Tone } from '../../kit/status-badge.tsx';
import { Time, UpcomingTime } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { words } from './words.ts';

const everyMs = 10_000;

/** The messages of all rules or of one, the newest first. */
export function AlertHistory({ rules }: { rules: ListedAlertRule[] }) {
  const say = useWords(words);
  const [ruleId, setRuleId] = useState('');
  return (
    <Section
      title={say.history}
      flush
      actions={
        <>
          <ExportMenu question={{ path: '/alerts/history', body: questionOf(ruleId) }} />
          <NativeSelect
            aria-label={say.historyRule}
            value={ruleId}
            onChange={(event) => setRuleId(event.currentTarget.value)}
            data={[
              { value: '', label: say.allRules },
              ...rules.map(({ alert_rule_id, name }) => ({ value: String(alert_rule_id), label: name })),
            ]}
          />
        </>
      }
    >
      <Messages key={ruleId} ruleId={ruleId} />
    </Section>
  );
}

/** Empty: of all rules. */
function questionOf(ruleId: string) {
  return ruleId === '' ? {} : { alert_rule_id: Number(ruleId) };
}

function Messages({ ruleId }: { ruleId: string }) {
  const say = useWords(words);
  const question = questionOf(ruleId);
  const asked = useAsk<typeof alertsHistory>('/alerts/history', question, { topics: ['audit'], everyMs });
  const [older, setOlder] = useState<ListedAlertMessage[] | null>(null);
  const [hasMore, setHasMore] = useState(true);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const columns = useMessageColumns();
  return (
    <AskedContent asked={asked}>
      {(first) => {
        const known = new Set(first.rows.map((row) => row.alert_message_id));
        const rows = [...first.rows, ...(older ?? []).filter((row) => !known.has(row.alert_message_id))];
        const loadMore = async () => {
          setLoadingMore(true);
          const before = rows.at(-1)!.alert_message_id;
          const page = await ask<typeof alertsHistory>('/alerts/history', { ...question, before }).catch(() => null);
          if (page !== null) {
            setOlder([...(older ?? []), ...page.rows]);
            setHasMore(page.has_more);
          }
          setLoadingMore(false);
        };
        return (
          <DataTable
            bare
            name="alert-history"
            label={say.history}
            columns={columns}
            list={{
              ...plainRows(rows, (row) => String(row.alert_message_id)),
              hasMore: older === null ? first.has_more : hasMore,
              isLoadingMore,
              loadMore: () => void loadMore(),
            }}
            rowName={(row) => row.created_at}
            empty={<EmptyState title={say.historyEmpty} hint={say.historyEmptyHint} />}
          />
        );
      }}
    </AskedContent>
  );
}

const tones = { pending: 'waiting', sent: 'done', failed: 'failed' } as const satisfies Record<
  ListedAlertMessage['state'],
  Tone
>;

function useMessageColumns(): Column<ListedAlertMessage>[] {
  const say = useWords(words);
  return [
    column('time', say.time, ({ created_at }) => <Time at={created_at} />, { width: 130, alwaysShown: true }),
    column('rule', say.rule, ({ rule_name }) => rule_name),
    column('channel', say.channels, ({ channel }) => say.channel[channel], { width: 100 }),
    column('content', say.content, (message) => <Content message={message} />),
    column('state', say.state, ({ state }) => <StatusBadge tone={tones[state]}>{say.sentState[state]}</StatusBadge>, {
      width: 100,
    }),
    column('result', say.result, (message) => <Result message={message} />),
  ];
}

function Content({ message: { occasion, items } }: { message: ListedAlertMessage }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <>
      {occasion !== 'alert' && <div>{say.occasion[occasion]}</div>}
      {items.map(({ kind, event, count, is_more }) => {
        const shown = is_more ? shared.cappedCount(formatNumber(count)) : formatNumber(count);
        return <div key={kind}>{say.item(say.kind[kind], shown, say.event[event])}</div>;
      })}
    </>
  );
}

function Result({ message: { result, attempts, due_at } }: { message: ListedAlertMessage }) {
  const say = useWords(words);
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      {result !== null && <ServerText text={result} />}
      {attempts > 1 && <div>{say.attempts(formatNumber(attempts))}</div>}
      {due_at !== null && attempts > 0 && (
        <div>
          {say.next} <UpcomingTime at={due_at} />
        </div>
      )}
    </span>
  );
}
