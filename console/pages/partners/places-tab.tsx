import type { ReactNode } from 'react';
import type { ListedStore, ListedWarehouse, storesList, warehousesList } from '../../../contract/console/partners.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { column, numberColumn, timeColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { ExportMenu } from '../../kit/export-menu.tsx';
import { useWords } from '../../kit/language.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
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

function PlaceActions({ path, children }: { path: string; children: ReactNode }) {
  return (
    <>
      <ExportMenu question={{ path, body: {} }} />
      {children}
    </>
  );
}

function Warehouses({ dialogs }: { dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  const asked = useAsk<typeof warehousesList>('/warehouses/list', {}, { topics: ['partners'] });
  const create = (
    <CreateButton label={say.create.warehouse} onClick={() => dialogs.open({ kind: 'warehouse', warehouse: null })} />
  );
  const columns: Column<ListedWarehouse>[] = [
    column('number', say.warehouseNo, (row) => String(row.warehouse_no)),
    column('name', say.name, (row) => row.name),
    column('connector', say.connector, (row) => <ConnectorText connector={row.connector} />),
    numberColumn('every', say.transferEvery, (row) => row.transfer_every_s),
    column('cutOff', say.cutOff, (row) => row.cut_off ?? '–'),
    column('secret', say.secretName.connector_secret, (row) =>
      row.connector.type === 'http' ? <SecretAge secret={row.connector_secret} /> : '–',
    ),
    ...(mayChange ? [column('actions', shared.noun.actions, menuOf, { width: 1 })] : []),
  ];
  function menuOf(row: ListedWarehouse) {
    const secrets = row.connector.type === 'http' ? [row.connector_secret] : [];
    return (
      <RowMenu
        name={`${row.warehouse_no} ${row.name}`}
        dialogs={dialogs}
        edit={{ kind: 'warehouse', warehouse: row }}
        secrets={secrets}
      />
    );
  }
  return (
    <Section
      title={say.warehouses}
      flush
      actions={<PlaceActions path="/warehouses/list">{mayChange && create}</PlaceActions>}
    >
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
  return (
    <span style={{ overflowWrap: 'anywhere' }}>{connector.type === 'http' ? `${type} ${connector.url}` : type}</span>
  );
}

function Stores({ dialogs }: { dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  const asked = useAsk<typeof storesList>('/stores/list', {}, { topics: ['partners'] });
  const create = <CreateButton label={say.create.store} onClick={() => dialogs.open({ kind: 'store', store: null })} />;
  const columns: Column<ListedStore>[] = [
    column('number', say.storeNo, (row) => String(row.store_no)),
    column('name', say.name, (row) => row.name),
    column('type', say.storeType, (row) => row.type),
    timeColumn('created', shared.noun.created, (row) => row.created_at),
    ...(mayChange
      ? [
          column(
            'actions',
            shared.noun.actions,
            (row: ListedStore) => (
              <RowMenu name={`${row.store_no} ${row.name}`} dialogs={dialogs} edit={{ kind: 'store', store: row }} />
            ),
            { width: 1 },
          ),
        ]
      : []),
  ];
  return (
    <Section title={say.stores} flush actions={<PlaceActions path="/stores/list">{mayChange && create}</PlaceActions>}>
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
