import { Group, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { trendsCallbacks, trendsCalls, trendsOrders, trendsStock } from '../../../contract/console/trends.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { ExportMenu } from '../../kit/export-menu.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { labelOf, useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { SavedViews } from '../../kit/saved-views.tsx';
import { useIsRestricted } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { flagFilter, pickFilter, picksFilter, useUrlFilters, warehousesFilter } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { words as orderWords } from '../orders/words.ts';
import { OrderTrends } from './order-trends.tsx';
import { CallbackTrends, CallTrends, StockTrends } from './other-trends.tsx';
import { type Days, daysOf, periodDescription, taipeiToday } from './period.ts';
import { PeriodField } from './period-field.tsx';
import { words } from './words.ts';

const tests = { ...flagFilter, field: null } as const;
const ofReceiver = { receiver: pickFilter } as const;
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ofAccounts = { accounts: picksFilter, tests } as const;
const ofStock = { accounts: picksFilter, warehouse: warehousesFilter, tests } as const;
const description = { accounts: picksFilter, warehouse: warehousesFilter, carrier: picksFilter, tests } as const;

/** Callbacks and calls are about accounts, so operators of some warehouses do not see them. */
const tabs = ['orders', 'stock', 'callbacks', 'calls'] as const;
const tabsOfSome = ['orders', 'stock'] as const;
const everyMs = 60_000;

export function Component() {
  const say = useWords(words);
  const [parameters, setParameters] = useSearchParams();
  const shownTabs: readonly (typeof tabs)[number][] = useIsRestricted() ? tabsOfSome : tabs;
  const tab = shownTabs.find((one) => one === parameters.get('tab')) ?? 'orders';
  const open = (next: string | null) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        if (next === null || next === 'orders') after.delete('tab');
        else after.set('tab', next);
        return after;
      },
      { preventScrollReset: true },
    );
  return (
    <>
      <PageHeader title={say.title} subtitle={say.subtitle} actions={<SavedViews page="trends" />} />
      <Tabs value={tab} keepMounted={false} onChange={open}>
        <Tabs.List mb="sm">
          {shownTabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {say.tab[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Trends tab={tab} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Trends({ tab }: { tab: (typeof tabs)[number] }) {
  const period = useUrlFilters(periodDescription);
  const { accounts, warehouse, carrier, tests } = useUrlFilters(description).values;
  const days = daysOf(period.values, taipeiToday());
  const which = { ...(accounts.length > 0 && { accounts }), ...(tests && { test_accounts: true }) };
  const places = warehouse.map(Number).filter((number) => Number.isInteger(number) && number > 0);
  const ofPlaces = { ...which, ...(places.length > 0 && { warehouse_no: places }) };
  switch (tab) {
    case 'orders':
      return <Orders lead={<PeriodField period={period} />} days={days} which={ofPlaces} carriers={carrier} />;
    case 'stock':
      return <Stock body={ofPlaces} />;
    case 'callbacks':
      return <Callbacks lead={<PeriodField period={period} />} body={{ ...days, ...which }} />;
    case 'calls':
      return <Calls lead={<PeriodField period={period} />} body={{ ...days, ...which }} />;
    default:
      return tab satisfies never;
  }
}

function useLabels() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return {
    accounts: shared.noun.account,
    warehouse: shared.noun.warehouse,
    carrier: say.carrier,
    tests: say.testAccounts,
  };
}

/** The filters of counts that belong to no warehouse. */
function AccountFilters({ lead }: { lead: ReactNode }) {
  const filters = useUrlFilters(ofAccounts);
  const { accounts, tests } = useLabels();
  return (
    <FilterBar
      filters={filters}
      lead={lead}
      labels={{ accounts, tests }}
      options={{ accounts: useAccountOptions() ?? [] }}
    />
  );
}

/** Carriers without a name are shown as they were reported. */
function useCarrierName(): (code: string) => string {
  const say = useWords(words);
  const names: Record<string, string> = useWords(orderWords).shipMethod;
  const own: Record<string, string> = { '': say.noCarrier, other: say.otherCarriers };
  return (code) => own[code] ?? names[code] ?? code;
}

interface Which {
  accounts?: string[];
  test_accounts?: boolean;
}
type OfPlaces = Which & { warehouse_no?: number[] };

interface OrdersProps {
  lead: ReactNode;
  days: Days;
  which: OfPlaces;
  carriers: string[];
}

function Orders({ lead, days, which, carriers }: OrdersProps) {
  const body = { ...days, ...which, ...(carriers.length > 0 && { carrier: carriers }) };
  const asked = useAsk<typeof trendsOrders>('/trends/orders', body, { keepPrevious: true, everyMs });
  const filters = useUrlFilters(description);
  const labels = useLabels();
  const carrierName = useCarrierName();
  const accounts = useAccountOptions();
  const warehouses = useWarehouseOptions();
  const known = asked.answer?.carriers ?? carriers;
  return (
    <>
      <FilterBar
        filters={filters}
        lead={lead}
        labels={labels}
        options={{
          accounts: accounts ?? [],
          warehouse: warehouses ?? [],
          carrier: known.map((code) => ({ value: code, label: carrierName(code) })),
        }}
      />
      <Exported question={{ path: '/trends/orders', body }} />
      <AskedContent asked={asked} lines={12}>
        {(answer) => (
          <OrderTrends
            answer={answer}
            question={{ path: '/trends/orders', body }}
            accountName={(number) => accounts?.find(({ value }) => value === number)?.label ?? number}
            warehouseName={(number) => labelOf(warehouses, number)}
            carrierName={carrierName}
          />
        )}
      </AskedContent>
    </>
  );
}

function Exported({ question }: Parameters<typeof ExportMenu>[0]) {
  return (
    <Group justify="flex-end" mb="sm">
      <ExportMenu question={question} />
    </Group>
  );
}

function Stock({ body }: { body: OfPlaces }) {
  const asked = useAsk<typeof trendsStock>('/trends/stock', body, { keepPrevious: true });
  const filters = useUrlFilters(ofStock);
  const { carrier: _, ...labels } = useLabels();
  const options = { accounts: useAccountOptions() ?? [], warehouse: useWarehouseOptions() ?? [] };
  return (
    <>
      <FilterBar filters={filters} labels={labels} options={options} />
      <Exported question={{ path: '/trends/stock', body }} />
      <AskedContent asked={asked}>{(answer) => <StockTrends answer={answer} />}</AskedContent>
    </>
  );
}

function Callbacks({ lead, body }: { lead: ReactNode; body: Days & Which }) {
  const { values, set } = useUrlFilters(ofReceiver);
  const receiver = uuidForm.test(values.receiver) ? values.receiver : '';
  const question = receiver === '' ? body : { ...body, receiver_id: receiver };
  const asked = useAsk<typeof trendsCallbacks>('/trends/callbacks', question, { keepPrevious: true, everyMs });
  return (
    <>
      <AccountFilters lead={lead} />
      <Exported question={{ path: '/trends/callbacks', body }} />
      <AskedContent asked={asked}>
        {(answer) => (
          <CallbackTrends answer={answer} receiver={receiver} onReceiver={(next) => set({ receiver: next })} />
        )}
      </AskedContent>
    </>
  );
}

function Calls({ lead, body }: { lead: ReactNode; body: Days & Which }) {
  const asked = useAsk<typeof trendsCalls>('/trends/calls', body, { keepPrevious: true, everyMs });
  return (
    <>
      <AccountFilters lead={lead} />
      <Exported question={{ path: '/trends/calls', body }} />
      <AskedContent asked={asked}>{(answer) => <CallTrends answer={answer} />}</AskedContent>
    </>
  );
}
