import { Button, Switch } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import type { InboundDetail, InboundLot, inboundDetail } from '../../../contract/console/inbound.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { PageSize } from '../../kit/page-size.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { type ComparedLine, compareLines, sumsOf } from './discrepancies.ts';
import classes from './discrepancy.module.css';
import { useReasonName } from './return-reason-choice.tsx';
import { words } from './words.ts';

/** Expected against received units of a document, to be printed and signed. */
export function Component() {
  const say = useWords(words);
  const inboundId = Number(useParams().inboundId);
  const [showsAll, setShowsAll] = useState(false);
  const asked = useAsk<typeof inboundDetail>('/inbound/detail', { inbound_id: inboundId }, { topics: ['inbound'] });
  const shown = asked.answer?.inbound_id === inboundId ? asked.answer : undefined;
  return (
    <>
      <div className={classes.screenOnly}>
        <PageHeader
          back={{ to: `/inbound/${inboundId}`, label: shown ? say.named[shown.kind](shown.partner_number) : say.title }}
          title={say.report.title}
          actions={
            <>
              <Switch
                label={say.report.allLines}
                checked={showsAll}
                onChange={(event) => setShowsAll(event.currentTarget.checked)}
              />
              <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
                {say.report.print}
              </Button>
            </>
          }
        />
      </div>
      <AskedContent asked={{ ...asked, answer: shown }}>
        {(found) => <Sheet document={found} showsAll={showsAll} />}
      </AskedContent>
    </>
  );
}

function Sheet({ document: shown, showsAll }: { document: InboundDetail; showsAll: boolean }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const lines = compareLines(shown.lines);
  const listed = showsAll ? lines : lines.filter(({ isDifferent }) => isDifferent);
  const reasonName = useReasonName();
  const reasons = [...new Set(shown.receipts.flatMap(({ return_reason }) => return_reason ?? []))].map(reasonName);
  const facts: [string, ReactNode][] = [
    [say.fact.partnerNumber, shown.partner_number],
    [say.column.ours, shown.document_no],
    [shared.noun.account, shown.account_no],
    [shared.noun.warehouse, `${shown.warehouse_no} ${shown.warehouse_name}`.trim()],
    [say.column.store, `${shown.store_no} ${shown.store_name}`.trim()],
    [shared.noun.status, shared.inboundStatus[shown.status]],
    [say.column.arrival, shown.estimated_arrival_at && <Time at={shown.estimated_arrival_at} absolute />],
    ...(reasons.length > 0 ? [[say.returnReason.label, reasons.join(', ')] as [string, string]] : []),
  ];
  return (
    <article className={classes.sheet}>
      <PageSize widthMm={210} heightMm={297} marginMm={14} isNumbered />
      <h2 className={classes.title}>
        {say.report.title} · {say.named[shown.kind](shown.partner_number)}
      </h2>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value || '–'}</dd>
          </div>
        ))}
      </dl>
      {listed.length === 0 ? <p>{say.report.none}</p> : <LineTable lines={listed} all={lines} />}
      <LotTable lots={shown.lots} skuIds={new Set(listed.map(({ sku_id }) => sku_id))} />
      <div className={classes.signatures}>
        {[say.report.warehouse, say.report.deliverer, say.report.date].map((label) => (
          <div key={label}>{label}</div>
        ))}
      </div>
    </article>
  );
}

function LineTable({ lines, all }: { lines: ComparedLine[]; all: ComparedLine[] }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const sums = sumsOf(all);
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <caption>{say.report.lines}</caption>
        <thead>
          <tr>
            <th scope="col">{shared.noun.product}</th>
            {[say.column.announced, say.column.good, say.column.bad, say.report.difference].map((title) => (
              <th key={title} scope="col" className={classes.number}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.line_no} data-different={line.isDifferent || undefined}>
              <th scope="row">
                {line.sku_id} <span className={classes.name}>{line.name}</span>{' '}
                <span className={classes.name}>
                  {[line.batch_id, line.expire_date ?? say.noExpiry].filter(Boolean).join(' · ')}
                </span>
              </th>
              <Numbers {...line} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{say.report.total}</th>
            <Numbers {...sums} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Numbers({
  announced,
  good,
  bad,
  difference,
}: Pick<ComparedLine, 'announced' | 'good' | 'bad' | 'difference'>) {
  return (
    <>
      <td className={classes.number}>{formatNumber(announced)}</td>
      <td className={classes.number}>{formatNumber(good)}</td>
      <td className={classes.number}>{formatNumber(bad)}</td>
      <td className={classes.difference}>{`${difference > 0 ? '+' : ''}${formatNumber(difference)}`}</td>
    </>
  );
}

/** The lots in which the listed products were found: batch and expiry date may differ from those announced. */
function LotTable({ lots, skuIds }: { lots: InboundLot[]; skuIds: Set<string> }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const listed = lots.filter(({ sku_id }) => skuIds.has(sku_id));
  if (listed.length === 0) return null;
  const titles = [shared.noun.sku, say.column.condition, say.report.lot];
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <caption>{say.report.found}</caption>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col" className={classes.number}>
              {say.column.units}
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map(({ lot_id, sku_id, stock_type, batch_id, expire_date, received, retracted }) => (
            <tr key={lot_id}>
              <th scope="row">{sku_id}</th>
              <td className={classes.condition}>{shared.stockType[stock_type]}</td>
              <td className={classes.lot}>{[batch_id || say.noBatch, expire_date ?? say.noExpiry].join(' · ')}</td>
              <td className={classes.number}>{formatNumber(received - retracted)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
