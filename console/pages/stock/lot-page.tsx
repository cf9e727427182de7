import { Alert, Anchor, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import type { LotDetail, stockLot } from '../../../contract/console/stock.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { Facts } from '../../kit/facts.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { CorrectLot } from './correct-lot.tsx';
import { BandBadge } from './expiry.tsx';
import { Ledger } from './ledger.tsx';
import { MoveLot } from './move-lot.tsx';
import { RegradeLot } from './regrade-lot.tsx';
import { words } from './words.ts';

type Asking = 'correct' | 'regrade' | 'move' | null;

export function Component() {
  const say = useWords(words);
  const lotId = Number(useParams().lotId);
  const mayChange = useMay('staff');
  const asked = useAsk<typeof stockLot>('/stock/lot', { lot_id: lotId }, { topics: ['stock'] });
  const [asking, setAsking] = useState<Asking>(null);
  const [awaitsOwn, setAwaitsOwn] = useState(false);
  const list = useLiveList<typeof stockLot>({
    path: '/stock/lot',
    body: { lot_id: lotId },
    keyOf: ({ movement_id }) => String(movement_id),
    topics: ['stock'],
  });
  // Show the operator's own change at once.
  useEffect(() => {
    if (!awaitsOwn || list.waiting === null) return;
    setAwaitsOwn(false);
    list.showWaiting();
  }, [awaitsOwn, list]);
  const close = () => setAsking(null);
  const finish = () => {
    close();
    setAwaitsOwn(true);
  };
  const lot = asked.answer?.lot;

  return (
    <>
      <PageHeader
        back={{ to: '/stock', label: say.title }}
        title={lot ? say.lotNamed(lot.sku_id, String(lot.lot_id)) : say.lotTitle}
        aside={lot && <LotBadges lot={lot} />}
        subtitle={lot?.product_name}
        actions={mayChange && asked.answer && <LotActions {...asked.answer} onAsk={setAsking} />}
      />
      <AskedContent asked={asked}>
        {(found) => (
          <>
            <LotFacts {...found} />
            <Unexplained {...found} />
            <Ledger list={list} />
            <LotQuestions detail={found} asking={asking} onClose={close} onDone={finish} />
          </>
        )}
      </AskedContent>
    </>
  );
}

function LotActions({ lot, destinations, onAsk }: LotDetail & { onAsk(asking: Asking): void }) {
  const say = useWords(words);
  return (
    <>
      {destinations.length > 0 && (
        <Button variant="default" disabled={lot.free === 0} onClick={() => onAsk('move')}>
          {say.move}
        </Button>
      )}
      <Button variant="default" disabled={lot.free === 0} onClick={() => onAsk('regrade')}>
        {say.regradeTo[lot.stock_type === 'good' ? 'bad' : 'good']}
      </Button>
      <Button variant="default" onClick={() => onAsk('correct')}>
        {say.correct}
      </Button>
    </>
  );
}

/** The dialogs of the actions; at most one is open. */
function LotQuestions({
  detail: { lot, counterpart, destinations },
  asking,
  onClose,
  onDone,
}: {
  detail: LotDetail;
  asking: Asking;
  onClose(): void;
  onDone(): void;
}) {
  const asked = { lot, onClose, onDone };
  return (
    <>
      <CorrectLot {...asked} opened={asking === 'correct'} />
      <RegradeLot {...asked} counterpart={counterpart} opened={asking === 'regrade'} />
      <MoveLot {...asked} destinations={destinations} opened={asking === 'move'} />
    </>
  );
}

function LotBadges({ lot }: { lot: LotDetail['lot'] }) {
  const shared = useWords(sharedWords);
  return (
    <>
      <StatusBadge tone={lot.stock_type === 'good' ? 'done' : 'stopped'}>
        {shared.stockType[lot.stock_type]}
      </StatusBadge>
      <BandBadge band={lot.expiry_band} />
    </>
  );
}

function LotFacts({ lot, counterpart }: LotDetail) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Section title={say.facts}>
      <Facts
        facts={[
          { label: say.column.onHand, value: formatNumber(lot.on_hand) },
          { label: say.column.locked, value: formatNumber(lot.locked) },
          { label: say.column.free, value: formatNumber(lot.free) },
          { label: say.column.sellable, value: formatNumber(lot.sellable) },
          {
            label: shared.noun.sku,
            value: <IdText value={lot.sku_id} label={shared.noun.sku} to={`/products/${lot.product_id}`} />,
          },
          { label: shared.noun.account, value: lot.account_no },
          {
            label: shared.noun.warehouse,
            value: [lot.warehouse_no, lot.warehouse_name].filter((part) => part !== null && part !== '').join(' '),
          },
          {
            label: shared.noun.batch,
            value: lot.batch_id === '' ? say.noBatch : <IdText value={lot.batch_id} label={shared.noun.batch} />,
          },
          { label: shared.noun.expiry, value: lot.expire_date ?? say.band.none },
          counterpart && {
            label: say.counterpart[lot.stock_type === 'good' ? 'bad' : 'good'],
            value: (
              <Anchor component={Link} to={`/stock/${counterpart.lot_id}`} size="sm">
                {say.counterpartUnits(formatNumber(counterpart.on_hand))}
              </Anchor>
            ),
          },
          { label: shared.noun.created, value: <Time at={lot.created_at} absolute /> },
        ]}
      />
    </Section>
  );
}

/** Units that no movement explains. They are known only when all movements fit on the first page. */
function Unexplained({ unexplained }: LotDetail) {
  const say = useWords(words);
  if (unexplained === null || (unexplained.on_hand === 0 && unexplained.locked === 0)) return null;
  return (
    <Alert color="red" mb="md">
      {say.unexplained(formatNumber(unexplained.on_hand), formatNumber(unexplained.locked))}
    </Alert>
  );
}
