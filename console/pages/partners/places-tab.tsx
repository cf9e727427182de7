import type { ListedStore, ListedWarehouse, storesList, warehousesList } from '../../../contract/console/partner-places.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { CreateButton } from './create-button.tsx';
import { SecretAge } from './partner-cells.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { PartnerEmpty } from './partner-empty.tsx';
import { RowMenu } from './row-menu.tsx';
import { words } from './words.ts';

export function PlacesTab({ dialogs }: { dialogs: PartnerDialogs }) {
  return (
    <>
      <Warehouses dialogs={dialogs} />
      <Stores dialogs={dialogs} />
    </>
  );
}

function Warehouses({ dialogs }: { dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  const asked = useAsk<typeof warehousesList>('/warehouses/list', {}, { topics: ['partners'] });
  const create = <CreateButton label={say.create.warehouse} onClick={() => dialogs.open({ kind: 'warehouse', warehouse: null })} />;
  const columns: Column<ListedWarehouse>[] = [
    { key: 'number', title: say.warehouseNo, cell: (row) => String(row.warehouse_no) },
    { key: 'name', title: say.name, cell: (row) => row.name },
    { key: 'connector', title: say.connector, cell: (row) => <ConnectorText connector={row.connector} /> },
    { key: 'every', title: say.transferEvery, align: 'right', cell: (row) => formatNumber(row.transfer_every_s) },
    {
      key: 'secret',
      title: say.secretName.connector_secret,
      cell: (row) => (row.connector.type === 'http' ? <SecretAge secret={row.connector_secret} /> : '–'),
    },
    ...(mayChange ? [{ key: 'actions', title: shared.noun.actions, width: 1, cell: menuOf }] : []),
  ];
  function menuOf(row: ListedWarehouse) {
    const secrets = row.connector.type === 'http' ? [row.connector_secret] : [];
    return (
      <RowMenu name={`${row.warehouse_no} ${row.name}`} dialogs={dialogs} edit={{ kind: 'warehouse', warehouse: row }} secrets={secrets} />
    );
  }
  return (
    <Section title={say.warehouses} flush actions={mayChange && create}>
      <AskedContent asked={asked}>
        {({ rows }) => (
          <DataTable
            name="warehouses"
            label={say.warehouses}
            columns={columns}
            list={plainRows(rows, (row) => String(row.warehouse_no))}
            rowName={(row) => row.name}
            bare
            empty={<PartnerEmpty title={say.empty.warehouses} hint={say.empty.warehousesHint} action={create} />}
          />
        )}
      </AskedContent>
    </Section>
  );
}

function ConnectorText({ connector }: { connector: ListedWarehouse['connector'] }) {
  const say = useWords(words);
  const type = say.connectorType[connector.type];
  return <span style={{ overflowWrap: 'anywhere' }}>{connector.type === 'http' ? `${type} ${connector.url}` : type}</span>;
}

function Stores({ dialogs }: { dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  const asked = useAsk<typeof storesList>('/stores/list', {}, { topics: ['partners'] });
  const create = <CreateButton label={say.create.store} onClick={() => dialogs.open({ kind: 'store', store: null })} />;
  const columns: Column<ListedStore>[] = [
    { key: 'number', title: say.storeNo, cell: (row) => String(row.store_no) },
    { key: 'name', title: say.name, cell: (row) => row.name },
    { key: 'type', title: say.storeType, cell: (row) => row.type },
    { key: 'created', title: shared.noun.created, cell: (row) => <Time at={row.created_at} /> },
    ...(mayChange
      ? [
          {
            key: 'actions',
            title: shared.noun.actions,
            width: 1,
            cell: (row: ListedStore) => (
              <RowMenu name={`${row.store_no} ${row.name}`} dialogs={dialogs} edit={{ kind: 'store', store: row }} />
            ),
          },
        ]
      : []),
  ];
  return (
    <Section title={say.stores} flush actions={mayChange && create}>
      <AskedContent asked={asked}>
        {({ rows }) => (
          <DataTable
            name="stores"
            label={say.stores}
            columns={columns}
            list={plainRows(rows, (row) => String(row.store_no))}
            rowName={(row) => row.name}
            bare
            empty={<PartnerEmpty title={say.empty.stores} hint={say.empty.storesHint} action={create} />}
          />
        )}
      </AskedContent>
    </Section>
  );
}
