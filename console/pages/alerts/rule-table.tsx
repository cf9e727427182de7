import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import {
  IconDots,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { alertsChange, alertsTest, ListedAlertRule } from '../../../contract/console/alerts.ts';
import { column } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { labelOf, useWarehouseOptions } from '../../kit/options.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { problemText, type RuleDialog, valuesOf } from './rule-values.ts';
import { words } from './words.ts';

interface RuleTableProps {
  rules: ListedAlertRule[];
  onDialog(dialog: RuleDialog): void;
  createButton: ReactNode;
}

export function RuleTable({ rules, onDialog, createButton }: RuleTableProps) {
  const say = useWords(words);
  const columns = useRuleColumns(onDialog);
  return (
    <Section title={say.rules} flush>
      <DataTable
        bare
        name="alert-rules"
        label={say.rules}
        columns={columns}
        list={plainRows(rules, (rule) => String(rule.alert_rule_id))}
        rowName={(rule) => rule.name}
        empty={<EmptyState title={say.emptyTitle} hint={say.emptyHint} action={createButton} />}
      />
    </Section>
  );
}

function useRuleColumns(onDialog: (dialog: RuleDialog) => void): Column<ListedAlertRule>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const warehouses = useWarehouseOptions();
  return [
    column('name', say.rule, (rule) => rule.name, { alwaysShown: true }),
    column('kinds', say.conditions, ({ kinds }) => {
      if (kinds === undefined) return say.allConditions;
      return kinds.length === 1 ? say.kind[kinds[0]!] : say.severalConditions(formatNumber(kinds.length));
    }),
    column('scope', say.scope, ({ account_nos = [], warehouse_nos = [] }) => {
      const names = [...account_nos, ...warehouse_nos.map((warehouseNo) => labelOf(warehouses, warehouseNo))];
      return names.length === 0 ? say.everything : names.join(say.separator);
    }),
    column('threshold', say.threshold, ({ min_count, min_minutes }) =>
      min_minutes === 0
        ? say.thresholdAtOnce(formatNumber(min_count))
        : say.thresholdValue(formatNumber(min_count), formatNumber(min_minutes)),
    ),
    column('channels', say.channels, ({ emails = [], webhook_url }) =>
      [
        ...(emails.length > 0 ? [say.recipients(formatNumber(emails.length))] : []),
        ...(webhook_url === undefined ? [] : [say.channel.webhook]),
      ].join(say.separator),
    ),
    column('quiet', say.quietHours, ({ quiet }) => {
      if (quiet === undefined) return say.quietNone;
      const days = quiet.days.length === 7 ? say.everyDay : quiet.days.map((day) => say.day[day as 1]).join(' ');
      return `${quiet.from}–${quiet.to}${say.separator}${days}`;
    }),
    column('state', say.state, ({ enabled }) => (
      <StatusBadge tone={enabled ? 'done' : 'stopped'}>{enabled ? say.on : say.off}</StatusBadge>
    )),
    column('actions', shared.noun.actions, (rule) => <RuleActions rule={rule} onDialog={onDialog} />, {
      width: 1,
      alwaysShown: true,
    }),
  ];
}

function RuleActions({ rule, onDialog }: { rule: ListedAlertRule; onDialog(dialog: RuleDialog): void }) {
  const say = useWords(words);
  const notices = useNotices();
  const test = useChange<typeof alertsTest>('/alerts/test', {
    onAnswer: (answer) => {
      if (answer.kind === 'tested') onDialog({ kind: 'tested', rule, results: answer.results });
      else notices.refused(answer.kind === 'throttled' ? say.testThrottled : say.notFound);
    },
  });
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        variant="default"
        leftSection={<IconSend size={14} aria-hidden />}
        aria-label={say.testOf(rule.name)}
        loading={test.isRunning}
        onClick={() => void test.run({ alert_rule_id: rule.alert_rule_id })}
      >
        {say.test}
      </Button>
      <RuleMenu rule={rule} onDialog={onDialog} />
    </Group>
  );
}

function RuleMenu({ rule, onDialog }: { rule: ListedAlertRule; onDialog(dialog: RuleDialog): void }) {
  const say = useWords(words);
  const notices = useNotices();
  const change = useChange<typeof alertsChange>('/alerts/change', {
    onAnswer: (answer) => {
      if (answer.kind === 'changed') notices.done(say.changed(rule.name));
      else notices.refused(answer.kind === 'refused' ? problemText(answer.problems, say) : say.notFound);
    },
  });
  const { alert_rule_id, enabled } = rule;
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={say.more(rule.name)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => onDialog({ kind: 'form', rule })}>
          {say.change}
        </Menu.Item>
        {rule.webhook_url !== undefined && (
          <Menu.Item leftSection={<IconKey size={15} />} onClick={() => onDialog({ kind: 'rotate', rule })}>
            {say.rotate}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={enabled ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
          onClick={() => void change.run({ ...valuesOf(rule), alert_rule_id, enabled: !enabled })}
        >
          {enabled ? say.switchOff : say.switchOn}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={15} />} onClick={() => onDialog({ kind: 'remove', rule })}>
          {say.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
