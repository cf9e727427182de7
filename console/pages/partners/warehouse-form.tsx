import { Select } from '@mantine/core';
import { useState } from 'react';
import type {
  Connector,
  ListedWarehouse,
  warehousesChange,
  warehousesCreate,
} from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { checkNumber, checkPercent, checkSeconds, checkTitle, checkUrl, checkUrlIfGiven } from './field-checks.ts';
import { FormDialog, numberField, ownField, type PartnerFormProps, textField } from './form-dialog.tsx';
import { words } from './words.ts';

const connectorTypes = ['manual', 'http', 'simulator'] as const;

/** Creates a warehouse if `warehouse` is null, and otherwise changes it. */
export function WarehouseForm({ warehouse, ...dialog }: PartnerFormProps & { warehouse: ListedWarehouse | null }) {
  const say = useWords(words);
  const connector = warehouse?.connector ?? { type: 'manual' as const };
  const simulator = connector.type === 'simulator' ? connector : null;
  const [type, setType] = useState<Connector['type']>(connector.type);
  const create = useChange<typeof warehousesCreate>('/warehouses/create');
  const change = useChange<typeof warehousesChange>('/warehouses/change');
  const ofSimulator = { isInRow: true, isHidden: type !== 'simulator' };
  return (
    <FormDialog
      {...dialog}
      title={
        warehouse === null ? say.create.warehouse : say.change.warehouse(`${warehouse.warehouse_no} ${warehouse.name}`)
      }
      isNew={warehouse === null}
      nameOf={({ number }) => `${say.warehouse} ${number}`}
      fields={{
        number: numberField(say.warehouseNo, warehouse?.warehouse_no, checkNumber, { isName: true }),
        name: textField(say.name, warehouse?.name, checkTitle),
        connector: ownField<null>(null, () => (
          <Select
            label={say.connector}
            data={connectorTypes.map((value) => ({ value, label: say.connectorType[value] }))}
            value={type}
            onChange={(picked) => setType((picked ?? 'manual') as Connector['type'])}
            allowDeselect={false}
          />
        )),
        url: textField(say.url, connector.type === 'http' ? connector.url : '', checkUrl, {
          required: true,
          maxLength: 2000,
          isHidden: type !== 'http',
          description: say.urlHint,
        }),
        changesUrl: textField(say.changesUrl, changesUrlOf(connector), checkUrlIfGiven, {
          ...{ maxLength: 2000, isHidden: type !== 'http', description: say.changesUrlHint },
        }),
        step: numberField(say.stepSeconds, simulator?.step_s, checkSeconds, ofSimulator),
        shortPicks: numberField(say.shortPickPercent, simulator?.short_pick_percent, checkPercent, ofSimulator),
        delays: numberField(say.delayPercent, simulator?.delay_percent, checkPercent, ofSimulator),
        every: numberField(say.transferEvery, warehouse?.transfer_every_s, checkSeconds, { placeholder: '60' }),
      }}
      send={({ number, name, every, ...typed }) => {
        const given = {
          warehouse_no: Number(number),
          ...(name !== '' && { name }),
          connector: connectorOf(type, typed),
          ...(every !== '' && { transfer_every_s: Number(every) }),
        };
        return warehouse === null ? create.run(given) : change.run(given);
      }}
    />
  );
}

function changesUrlOf(connector: Connector): string {
  return (connector.type === 'http' && connector.changes_url) || '';
}

function connectorOf(
  type: Connector['type'],
  {
    url,
    changesUrl,
    step,
    shortPicks,
    delays,
  }: Record<'url' | 'changesUrl' | 'step' | 'shortPicks' | 'delays', string>,
): Connector {
  if (type === 'http') return { type: 'http', url, ...(changesUrl !== '' && { changes_url: changesUrl }) };
  if (type !== 'simulator') return { type: 'manual' };
  return {
    type: 'simulator',
    ...(step !== '' && { step_s: Number(step) }),
    ...(shortPicks !== '' && { short_pick_percent: Number(shortPicks) }),
    ...(delays !== '' && { delay_percent: Number(delays) }),
  };
}
