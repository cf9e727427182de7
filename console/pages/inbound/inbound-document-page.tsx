import { Alert, Badge, Button } from '@mantine/core';
import { Link, useParams } from 'react-router';
import type { InboundDetail, inboundDetail } from '../../../contract/console/inbound.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { Facts } from '../../kit/facts.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { inboundTone, StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useActorName } from '../../kit/use-actor-name.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { DocumentActions } from './document-actions.tsx';
import { DocumentReceipts, DocumentTimeline } from './document-history.tsx';
import { DocumentLines, DocumentLots } from './document-lines.tsx';
import classes from './inbound.module.css';
import { LeftOverDraft } from './left-over-draft.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { ReceivingPanel } from './receiving-panel.tsx';
import { ReturnedOrder } from './returned-order.tsx';
import { words } from './words.ts';

/** Shows an inbound document or return. Its units are received here too. */
export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('staff');
  const inboundId = Number(useParams().inboundId);
  const asked = useAsk<typeof inboundDetail>(
    '/inbound/detail',
    { inbound_id: inboundId },
    { topics: ['inbound', 'callbacks'] },
  );
  // The response may still belong to the previous document.
  const shown = asked.answer?.inbound_id === inboundId ? asked.answer : undefined;
  return (
    <>
      <PageHeader
        back={{ to: '/inbound', label: say.title }}
        title={shown ? say.named[shown.kind](shown.partner_number) : say.documentTitle}
        aside={
          shown && (
            <>
              <StatusBadge tone={inboundTone[shown.status]}>{shared.inboundStatus[shown.status]}</StatusBadge>
              {shown.environment === 'uat' && <Badge color="gray">{shared.environment.uat}</Badge>}
            </>
          )
        }
        actions={
          shown && (
            <>
              <Button variant="default" component={Link} to={`/inbound/${inboundId}/discrepancies`}>
                {say.report.open}
              </Button>
              {mayChange && <DocumentActions document={shown} />}
            </>
          )
        }
      />
      <AskedContent asked={{ ...asked, answer: shown }}>
        {(found) => (
          <>
            {found.receiving === 'on_create' && found.receive_at === null && found.status === 'received' && (
              <Alert color="gray" title={say.receivedOnCreate} mb="sm">
                {say.receivedOnCreateHint}
              </Alert>
            )}
            {mayChange && found.can.receive && <ReceivingPanel key={found.inbound_id} document={found} />}
            {mayChange && !found.can.receive && <LeftOverDraft key={found.inbound_id} document={found} />}
            <DocumentLines document={found} />
            <DocumentFacts document={found} withOrder={!(mayChange && found.can.receive)} />
            <DocumentLots document={found} />
            <div className={classes.columns}>
              <DocumentTimeline document={found} />
              <DocumentReceipts document={found} />
            </div>
          </>
        )}
      </AskedContent>
    </>
  );
}

/** `withOrder`: also shows the returned order. While units can be received, the receiving panel shows it instead. */
function DocumentFacts({ document: shown, withOrder }: { document: InboundDetail; withOrder: boolean }) {
  const say = useWords(words);
  const nameOf = useActorName();
  const shared = useWords(sharedWords);
  const { account_no, environment, warehouse_no, warehouse_name, store_no, store_name, over_delivery_percent } = shown;
  return (
    <Section title={say.section.facts}>
      <Facts
        facts={[
          {
            label: say.column.progress,
            value: (
              <ProgressBar
                announced={shown.announced_units}
                good={shown.arrived_good_units}
                bad={shown.arrived_bad_units}
              />
            ),
          },
          {
            label: say.fact.partnerNumber,
            value: <IdText value={shown.partner_number} label={say.fact.partnerNumber} />,
          },
          { label: say.column.ours, value: <IdText value={shown.document_no} label={say.column.ours} /> },
          shown.internal_form_no !== null && {
            label: say.fact.internalNo,
            value: <IdText value={shown.internal_form_no} label={say.fact.internalNo} />,
          },
          { label: shared.noun.account, value: `${account_no} · ${shared.environment[environment]}` },
          { label: shared.noun.warehouse, value: `${warehouse_no} ${warehouse_name}` },
          { label: say.column.store, value: `${store_no} ${store_name}` },
          { label: shared.noun.channel, value: shared.channel[shown.channel] },
          shown.receive_at === null
            ? { label: say.fact.receiving, value: say.receiving[shown.receiving] }
            : { label: say.fact.receiveAt, value: <Time at={shown.receive_at} absolute /> },
          {
            label: say.fact.overDelivery,
            value:
              over_delivery_percent === 0 ? say.noOverDelivery : say.overDelivery(formatNumber(over_delivery_percent)),
          },
          {
            label: say.column.arrival,
            value: shown.estimated_arrival_at && <Time at={shown.estimated_arrival_at} absolute />,
          },
          { label: shared.noun.created, value: <Time at={shown.created_at} absolute /> },
          { label: say.fact.madeBy, value: shown.created_by && nameOf(shown.created_by) },
          { label: shared.noun.updated, value: <Time at={shown.updated_at} absolute /> },
          shown.trace_id !== null && {
            label: shared.noun.traceId,
            value: <IdText value={shown.trace_id} label={shared.noun.traceId} to={`/requests/${shown.trace_id}`} />,
          },
          shown.returned_order !== null &&
            withOrder && { label: say.section.returnedOrder, wide: true, value: <ReturnedOrder document={shown} /> },
        ]}
      />
    </Section>
  );
}
