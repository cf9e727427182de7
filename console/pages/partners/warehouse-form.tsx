import { MultiSelect, Select } from '@mantine/core';
import { useState } from 'react';
import type {
  Connector,
  ListedWarehouse,
  WorkingDay,
  warehousesChange,
  warehousesCreate,
} from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import {
  checkNumber,
  checkPercent,
  checkSeconds,
  checkTimeOfDay,
  checkTitle,
  checkUrl,
  checkUrlIfGiven,
} from './field-checks.ts';
import { FormDialog, numberField, ownField, type PartnerFormProps, textField } from './form-dialog.tsx';
import { words } from './words.ts';

const workingDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const satisfies readonly WorkingDay[];
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
        cutOff: textField(say.cutOff, warehouse?.cut_off ?? '', checkTimeOfDay, {
          ...{ maxLength: 5, placeholder: '15:00', description: say.cutOffHint },
        }),
        days: ownField<WorkingDay[]>(warehouse?.working_days ?? workingDays.slice(0, 5), (value, set) => (
          <WorkingDays value={value} onChange={set} />
        )),
      }}
      send={(values) => {
        const given = givenOf(type, values);
        return warehouse === null ? create.run(given) : change.run(given);
      }}
    />
  );
}

type Typed = Parameters<typeof connectorOf>[1] & {
  number: string;
  name: string;
  every: string;
  cutOff: string;
  days: WorkingDay[];
};

function givenOf(type: Connector['type'], { number, name, every, cutOff, days, ...typed }: Typed) {
  return {
    warehouse_no: Number(number),
    ...(name !== '' && { name }),
    connector: connectorOf(type, typed),
    ...(every !== '' && { transfer_every_s: Number(every) }),
    cut_off: cutOff === '' ? null : cutOff,
    working_days: days,
  };
}

function WorkingDays({ value, onChange }: { value: WorkingDay[]; onChange(days: WorkingDay[]): void }) {
  const say = useWords(words);
  return (
    <MultiSelect
      label={say.workingDays}
      data={workingDays.map((day) => ({ value: day, label: say.weekday[day] }))}
      value={value}
      onChange={(picked) => picked.length > 0 && onChange(workingDays.filter((day) => picked.includes(day)))}
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
