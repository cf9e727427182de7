import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { AttentionItem } from '../../../contract/console/home.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { BlockExpired } from '../stock/block-expired.tsx';
import { words as systemWords } from '../system/words.ts';
import classes from './attention-list.module.css';
import { words } from './words.ts';

/** Conditions that need attention, with links, followed by those that are fine. */
export function AttentionList({ items }: { items: AttentionItem[] }) {
  const say = useWords(words);
  const wrong = items.filter(({ severity }) => severity !== 'fine');
  const fine = items.filter(({ severity }) => severity === 'fine');
  return (
    <Section
      title={say.attention}
      flush
      actions={
        <span className={classes.summary}>
          {wrong.length === 0 ? say.attentionNone : say.attentionCount(formatNumber(wrong.length))}
        </span>
      }
    >
      {wrong.length > 0 && (
        <ul className={classes.rows}>
          {wrong.map((item) => (
            <li key={item.kind} className={classes.item}>
              <WrongRow item={item} />
              {item.kind === 'lots_expired' && (
                <div className={classes.action}>
                  <BlockExpired />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {fine.length > 0 && (
        <ul className={classes.fine} aria-label={say.fineLines}>
          {fine.map(({ kind, path, since }) => (
            <li key={kind}>
              <Link to={path} className={classes.fineLink}>
                <IconCircleCheck size={15} aria-hidden />
                {kind === 'backup_late' && since === null ? say.backupMissing : say.fine[kind]}
                {kind === 'backup_late' && since !== null && <Time at={since} />}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function WrongRow({ item }: { item: AttentionItem }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const jobName: Record<string, string> = useWords(systemWords).jobName;
  const { severity, path, since, kind, count, is_more, examples } = item;
  const Icon = severity === 'critical' ? IconAlertTriangle : IconAlertCircle;
  const isMissing = (kind === 'stock_audit' && count === 0) || kind === 'backup_late';
  const headlineOfMissing =
    kind === 'stock_audit' ? say.auditMissing : since === null ? say.backupMissing : say.wrong[kind];
  return (
    <Link to={path} className={classes.row} data-severity={severity}>
      <Icon size={18} className={classes.icon} role="img" aria-label={say.severity[severity]} />
      <span className={classes.count}>
        {isMissing ? '–' : is_more ? shared.cappedCount(formatNumber(count)) : formatNumber(count)}
      </span>
      <span className={classes.text}>
        <span className={classes.headline}>{isMissing ? headlineOfMissing : say.wrong[kind]}</span>
        {examples.map((example) => (
          <span key={example.name} className={classes.example}>
            <span className={classes.name}>{(kind === 'jobs_failed' && jobName[example.name]) || example.name}</span>
            {example.count !== null && <span className={classes.times}>{say.times(formatNumber(example.count))}</span>}
            {example.detail !== null && <ServerText text={example.detail} className={classes.detail} isCut />}
          </span>
        ))}
      </span>
      {since !== null && (
        <span className={classes.since}>
          {kind === 'lots_expired' || kind === 'lots_expiring' ? `${say.first} ${since}` : <Time at={since} />}
        </span>
      )}
    </Link>
  );
}
