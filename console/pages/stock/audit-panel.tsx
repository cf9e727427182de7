import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../../contract/console/console-call.ts';
import type { AuditRun, stockAuditLatest, stockAuditRepair, stockAuditRun } from '../../../contract/console/stock.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { useMay, useMayEverywhere } from '../../kit/session.tsx';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { useChange } from '../../kit/use-change.tsx';
import { FindingText } from './audit-finding.tsx';
import classes from './stock.module.css';
import { words } from './words.ts';

type Audited = Exclude<AnswerOf<typeof stockAuditRun> | AnswerOf<typeof stockAuditRepair>, { kind: 'busy' }>;

const latestEveryMs = 60_000;

/** The last stock audits, and a button to run one now. */
export function AuditPanel() {
  const say = useWords(words).audit;
  const [mayRun, mayRepair] = [useMayEverywhere('staff'), useMay('admin')];
  const notices = useNotices();
  const { answer } = useAsk<typeof stockAuditLatest>('/stock/audit-latest', {}, { everyMs: latestEveryMs });
  const [audited, setAudited] = useState<Audited | null>(null);
  const [showsHistory, setShowsHistory] = useState(false);
  const [asksRepair, setAsksRepair] = useState(false);
  const keep = (result: Audited | { kind: 'busy' }) =>
    result.kind === 'busy' ? notices.refused(say.busy) : setAudited(result);
  const run = useChange<typeof stockAuditRun>('/stock/audit-run', { onAnswer: keep });
  const repair = useChange<typeof stockAuditRepair>('/stock/audit-repair', {
    onAnswer(result) {
      setAsksRepair(false);
      keep(result);
      if (result.kind !== 'repaired') return;
      notices.done(say.repaired(formatNumber(result.repairs.filter(({ outcome }) => outcome === 'repaired').length)));
    },
  });
  const audits = answer?.audits ?? [];
  const canRepair = mayRepair && audited !== null && audited.kind !== 'unfinished' && audited.findings_count > 0;

  return (
    <Section
      title={say.title}
      actions={
        <>
          {audits.length > 0 && (
            <Button variant="subtle" aria-expanded={showsHistory} onClick={() => setShowsHistory(!showsHistory)}>
              {showsHistory ? say.hideHistory : say.history}
            </Button>
          )}
          {canRepair && (
            <Button variant="default" onClick={() => setAsksRepair(true)}>
              {say.repair}
            </Button>
          )}
          {mayRun && (
            <Button variant="default" loading={run.isRunning} onClick={() => void run.run({})}>
              {say.run}
            </Button>
          )}
        </>
      }
    >
      <div role="status">
        {audits[0] ? <AuditLine audit={audits[0]} /> : answer && <Text size="sm">{say.never}</Text>}
        {audited && <AuditResult audited={audited} />}
      </div>
      {showsHistory && <History audits={audits} />}
      <ConfirmDialog
        opened={asksRepair}
        onClose={() => setAsksRepair(false)}
        title={say.repairQuestion(formatNumber(audited?.findings_count ?? 0))}
        confirmLabel={say.repair}
        danger
        isRunning={repair.isRunning}
        onConfirm={() => void repair.run({})}
      >
        {say.repairEffect}
      </ConfirmDialog>
    </Section>
  );
}

function AuditLine({ audit }: { audit: AuditRun }) {
  const say = useWords(words).audit;
  return (
    <div className={classes.auditLine}>
      <Verdict findings={audit.findings} />
      <Time at={audit.at} />
      <Text size="sm" c="dimmed">
        {say.looked(formatNumber(audit.lots), formatNumber(audit.orders))}
      </Text>
    </div>
  );
}

function Verdict({ findings }: { findings: number }) {
  const say = useWords(words).audit;
  return (
    <StatusBadge tone={findings === 0 ? 'done' : 'failed'}>
      {findings === 0 ? say.clean : say.findings(formatNumber(findings))}
    </StatusBadge>
  );
}

function AuditResult({ audited }: { audited: Audited }) {
  const say = useWords(words).audit;
  const [lots, orders, inbounds] = [audited.lots, audited.orders, audited.inbounds].map(formatNumber) as [
    string,
    string,
    string,
  ];
  const { findings, findings_count } = audited;
  return (
    <>
      <Text size="sm" mt="xs">
        {audited.kind === 'unfinished'
          ? say.unfinished
          : findings_count === 0
            ? say.allRight(lots, orders, inbounds)
            : say.found(formatNumber(findings_count), lots, orders, inbounds)}
      </Text>
      {audited.kind === 'repaired' && (
        <Findings>
          {audited.repairs.map(({ finding, outcome }) => (
            <li key={JSON.stringify(finding)}>
              <StatusBadge tone={outcome === 'needs_a_person' ? 'waiting' : 'done'}>{say.outcome[outcome]}</StatusBadge>
              <FindingText finding={finding} />
            </li>
          ))}
        </Findings>
      )}
      {findings.length > 0 && audited.kind !== 'repaired' && (
        <Findings>
          {findings.map((finding) => (
            <li key={JSON.stringify(finding)}>
              <FindingText finding={finding} />
            </li>
          ))}
        </Findings>
      )}
      {findings_count > findings.length && (
        <Text size="sm" c="dimmed" mt="xs">
          {say.firstShown(formatNumber(findings.length))}
        </Text>
      )}
    </>
  );
}

function Findings({ children }: { children: ReactNode }) {
  return <ul className={classes.findings}>{children}</ul>;
}

function History({ audits }: { audits: AuditRun[] }) {
  const say = useWords(words).audit;
  return (
    <table className={classes.history} aria-label={say.history}>
      <thead>
        <tr>
          <th scope="col">{say.columnAt}</th>
          <th scope="col">{say.columnLooked}</th>
          <th scope="col">{say.columnResult}</th>
        </tr>
      </thead>
      <tbody>
        {audits.map((audit) => (
          <tr key={audit.at}>
            <td>
              <Time at={audit.at} absolute />
            </td>
            <td>{say.looked(formatNumber(audit.lots), formatNumber(audit.orders))}</td>
            <td>
              <Verdict findings={audit.findings} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
