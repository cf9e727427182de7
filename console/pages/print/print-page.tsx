import { Button, NativeSelect, Text, Title } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, Suspense, useEffect, useRef, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type {
  LeftOutOrder,
  PickList,
  PrintedOrder,
  printOrders,
  printPickList,
} from '../../../contract/console/print.ts';
import { ask } from '../../kit/ask.ts';
import type { AskError } from '../../kit/ask-error.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorState } from '../../kit/error-state.tsx';
import { fontsKnown } from '../../kit/fonts.ts';
import { useWords } from '../../kit/language.tsx';
import { Loading } from '../../kit/loading.tsx';
import { newUuid } from '../../kit/new-uuid.ts';
import { formatNumber } from '../../kit/number.ts';
import { PageSize } from '../../kit/page-size.tsx';
import { useMay } from '../../kit/session.tsx';
import { readStored, writeStored } from '../../kit/stored.ts';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { WhenSignedIn } from '../../shell/when-signed-in.tsx';
import { OrderCodes, ShippingLabels, StoreLabel } from './labels.tsx';
import { PackingSlip } from './packing-slip.tsx';
import { PickListSheet } from './pick-list.tsx';
import classes from './print.module.css';
import { type Paper, type PrintJob, papers, printOuts, readPrintJob } from './print-job.ts';
import { ReturnSlip } from './return-slip.tsx';
import { words } from './words.ts';

/** `/print/...`: a print-out, outside the frame of the console. `print-job.ts` has the form of the address. */
export function Component() {
  return (
    <WhenSignedIn>
      <PrintPage />
    </WhenSignedIn>
  );
}

function PrintPage() {
  const say = useWords(words);
  const mayPrint = useMay('staff');
  const { printOut = '' } = useParams();
  const [query] = useSearchParams();
  const job = readPrintJob(printOut, query);
  if (job === null) return <NotFoundPage />;
  return mayPrint ? <Desk job={job} /> : <EmptyState title={say.mayNot} hint={say.mayNotHint} />;
}

/** The content of all print-outs of an address. */
interface Content {
  orders: PrintedOrder[];
  lists: PickList[];
  leftOut: LeftOutOrder[];
}

async function readContent({ printOut, orderIds, slots }: PrintJob, printId: string): Promise<Content> {
  const { document } = printOuts[printOut];
  const wanted = { order_ids: orderIds, print_id: printId };
  if (document === null) {
    const body = { ...wanted, ...(slots && { slots }) };
    const { lists, left_out } = await ask<typeof printPickList>('/print/pick-list', body);
    return { orders: [], lists, leftOut: left_out };
  }
  const { printed, left_out } = await ask<typeof printOrders>('/print/orders', { document, ...wanted });
  return { orders: printed, lists: [], leftOut: left_out };
}

/** Each print has an id of its own: a request that is sent again because its answer was lost is not another print. */
function usePrint(job: PrintJob) {
  const [printId, setPrintId] = useState(newUuid);
  const query = useQuery<Content, AskError>({
    queryKey: ['print', printId],
    queryFn: () => readContent(job, printId),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    placeholderData: (previous) => previous,
  });
  return { printId, ...query, printAgain: () => setPrintId(newUuid()) };
}

function Desk({ job }: { job: PrintJob }) {
  const say = useWords(words);
  const { papers: possible } = printOuts[job.printOut];
  const [paper, setPaper] = usePaper(job, possible);
  const { printId, data, error, isPlaceholderData, refetch, printAgain } = usePrint(job);
  const { widthMm, heightMm, marginMm } = papers[paper];
  const title = say.printOut[job.printOut];
  useEffect(() => {
    window.document.title = `${title} · Lading`;
  }, [title]);
  const count = data && data.orders.length + data.lists.reduce((sum, { slots }) => sum + slots.length, 0);
  const style = {
    '--paper-width': `${widthMm}mm`,
    '--paper-height': `${heightMm}mm`,
    '--paper-margin': `${marginMm}mm`,
  } as CSSProperties;
  return (
    <main className={classes.desk} style={style} data-paper={paper}>
      <PageSize {...papers[paper]} isNumbered={job.printOut === 'pick-list'} />
      <div className={classes.bar}>
        <div className={classes.barTitle}>
          <Title order={1} size="h3">
            {title} {count !== undefined && <Text span>{say.orders(formatNumber(count))}</Text>}
          </Title>
          <Text size="sm" c="dimmed">
            {say.scaleHint} {say.logged}
          </Text>
        </div>
        <NativeSelect
          aria-label={say.paperLabel}
          value={paper}
          onChange={({ currentTarget }) => setPaper(currentTarget.value as Paper)}
          data={possible.map((value) => ({ value, label: say.paper[value] }))}
        />
        <Button
          leftSection={<IconPrinter size={16} />}
          loading={isPlaceholderData}
          onClick={printAgain}
          disabled={!count}
        >
          {say.print}
        </Button>
        {data && <LeftOut orders={data.leftOut} />}
      </div>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {count === 0 && <EmptyState title={say.nothing} hint={say.nothingHint} />}
      {data && count !== 0 && (
        <Suspense fallback={<Loading />}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: paper is wider than a phone, and keys scroll it. */}
          <section className={classes.sheets} aria-label={title} tabIndex={0}>
            <Sheets job={job} content={data} paper={paper} />
          </section>
          {!isPlaceholderData && <Dialog key={printId} onPrintedAgain={() => void readContent(job, newUuid())} />}
        </Suspense>
      )}
    </main>
  );
}

/** The paper in the address, or the one that was used last for this print-out in this browser. */
function usePaper({ printOut, paper }: PrintJob, possible: readonly Paper[]) {
  const name = `paper.${printOut}`;
  const [chosen, choose] = useState<Paper>(() => {
    const stored = readStored(name);
    return paper ?? possible.find((one) => one === stored) ?? possible[0]!;
  });
  const change = (next: Paper) => {
    writeStored(name, next);
    choose(next);
  };
  return [chosen, change] as const;
}

function Sheets({ job, content: { orders, lists }, paper }: { job: PrintJob; content: Content; paper: Paper }) {
  switch (job.printOut) {
    case 'packing-slip':
      return orders.map((order) => <PackingSlip key={order.order_id} order={order} paper={paper} />);
    case 'shipping-label':
      return orders.map((order) => (
        <ShippingLabels key={order.order_id} order={order} paper={paper} parcels={job.parcels} />
      ));
    case 'store-label':
      return orders.map((order) => <StoreLabel key={order.order_id} order={order} paper={paper} />);
    case 'order-codes':
      return <OrderCodes orders={orders} paper={paper} />;
    case 'return-slip':
      return orders.map((order) => <ReturnSlip key={order.order_id} order={order} paper={paper} />);
    case 'pick-list':
      return lists.map((list) => <PickListSheet key={list.warehouse_no} list={list} batch={job.batch} />);
    default:
      return job.printOut satisfies never;
  }
}

/**
 * Opens the print dialog when everything is drawn. The page was counted as a print when it was read; if the operator
 * prints it once more with the menu of the browser, that is counted too.
 */
function Dialog({ onPrintedAgain }: { onPrintedAgain(): void }) {
  const counted = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each print.
  useEffect(() => {
    let isGone = false;
    const note = () => {
      if (counted.current) onPrintedAgain();
      counted.current = true;
    };
    window.addEventListener('beforeprint', note);
    // Text in a font that is still loading would be printed in another one.
    const drawn = fontsKnown.then(() => window.document.fonts.ready);
    void drawn.then(() => {
      if (isGone) return;
      window.document.documentElement.dataset.printed = 'ready';
      window.print();
    });
    return () => {
      isGone = true;
      delete window.document.documentElement.dataset.printed;
      window.removeEventListener('beforeprint', note);
    };
  }, []);
  return null;
}

function LeftOut({ orders }: { orders: LeftOutOrder[] }) {
  const say = useWords(words);
  if (orders.length === 0) return null;
  return (
    <div role="alert" className={classes.leftOut}>
      <Text fw={600} size="sm">
        {say.leftOutTitle(formatNumber(orders.length))}
      </Text>
      <ul>
        {orders.map(({ order_id, partner_number, kind }) => (
          <li key={order_id}>
            {partner_number ?? order_id}: {say.leftOut[kind]}
          </li>
        ))}
      </ul>
    </div>
  );
}
