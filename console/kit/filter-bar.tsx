import { Button, Checkbox, Group, MultiSelect, Pill, Select, TextInput } from '@mantine/core';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { DateFilter } from './date-field.tsx';
import { presetDays } from './date-presets.ts';
import classes from './filter-bar.module.css';
import { useWords } from './language.tsx';
import { PresetMenu } from './preset-menu.tsx';
import { sharedWords } from './shared-words.ts';
import { type Dates, type Filter, type FilterDescription, isUnset, type UrlFilters } from './url-filters.ts';
import { words } from './words.ts';

export interface Option {
  value: string;
  label: string;
}

type NamesOfKind<Description extends FilterDescription, Kind> = {
  [Name in keyof Description]: Description[Name]['kind'] extends Kind ? Name : never;
}[keyof Description];

export interface FilterBarProps<Description extends FilterDescription> {
  filters: UrlFilters<Description>;
  labels: { [Name in keyof Description]: string };
  /** The options of choices and picks. A pick without options is a text field. */
  options: { [Name in NamesOfKind<Description, 'choices'>]: Option[] } & {
    [Name in NamesOfKind<Description, 'pick' | 'picks'>]?: Option[];
  };
  /** Placeholders of text fields. */
  placeholders?: { [Name in NamesOfKind<Description, 'text'>]?: string };
  /** Fields of the page itself, shown before the others. */
  lead?: ReactNode;
  /** The same, shown after the others. */
  trail?: ReactNode;
  /** Filters that are hidden until they are set or the operator expands the bar. */
  rare?: readonly (keyof Description)[];
}

const textWaitMs = 400;

/** The fields of all filters, and below them a removable chip for each filter that is set. */
export function FilterBar<Description extends FilterDescription>({
  filters,
  labels,
  options,
  placeholders,
  lead,
  trail,
  rare = [],
}: FilterBarProps<Description>) {
  const say = useWords(words);
  const optionsOf = (name: string) => (options as Record<string, Option[] | undefined>)[name];
  const set = (name: string, value: unknown) => filters.set({ [name]: value } as never);
  const chips = chipsOf(filters, labels, optionsOf, say);
  // A phone shows only the text fields at first, so that the list begins on the same screen.
  const [isOpen, setOpen] = useState(false);
  const isHidden = (name: string, filter: Filter) =>
    !isOpen && rare.includes(name) && isUnset(filter, filters.values[name]);
  const toggle = {
    'aria-expanded': isOpen,
    leftSection: <IconFilter size={14} aria-hidden />,
    onClick: () => setOpen(!isOpen),
  };
  return (
    <search className={classes.bar} aria-label={say.filters}>
      <div className={classes.fields} data-open={isOpen || undefined}>
        {lead}
        {Object.entries(filters.description)
          .filter(([name, filter]) => !isHidden(name, filter))
          .map(([name, filter]) => (
            <FilterField
              key={name}
              filter={filter}
              label={labels[name as keyof Description]}
              placeholder={(placeholders as Record<string, string> | undefined)?.[name]}
              options={optionsOf(name)}
              value={filters.values[name]}
              onChange={(value) => set(name, value)}
            />
          ))}
        {trail}
      </div>
      {rare.length > 0 && (
        <Button className={classes.more ?? ''} variant="subtle" size="compact-sm" {...toggle}>
          {isOpen ? say.fewerFilters : say.moreFilters}
        </Button>
      )}
      <Button className={classes.toggle ?? ''} variant="default" size="compact-sm" mt={8} {...toggle}>
        {isOpen ? say.fewerFilters : say.filters}
      </Button>
      {chips.length > 0 && <Chips chips={chips} onClear={filters.clear} />}
    </search>
  );
}

interface FilterFieldProps {
  filter: Filter;
  label: string;
  placeholder: string | undefined;
  options: Option[] | undefined;
  value: unknown;
  onChange(value: unknown): void;
}

function FilterField({ filter, label, placeholder, options, value, onChange }: FilterFieldProps) {
  const say = useWords(words);
  switch (filter.kind) {
    case 'text':
      return <TextField label={label} placeholder={placeholder} value={value as string} onChange={onChange} />;
    case 'pick':
      return options === undefined ? (
        <TextField label={label} placeholder={placeholder} value={value as string} onChange={onChange} />
      ) : (
        <Select
          label={label}
          placeholder={say.any}
          data={options}
          value={(value as string) || null}
          onChange={(picked) => onChange(picked ?? '')}
          searchable
        />
      );
    case 'choices':
    case 'picks':
      return (
        <ChoicesField
          label={label}
          options={options ?? []}
          chosen={value as string[]}
          onChange={onChange}
          isSearchable={filter.kind === 'picks'}
        />
      );
    case 'dates':
      return <DatesField label={label} dates={value as Dates} onChange={onChange} />;
    case 'flag':
      return (
        <Checkbox
          className={classes.flag ?? ''}
          label={label}
          checked={value as boolean}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    default:
      return filter satisfies never;
  }
}

interface ChoicesFieldProps {
  label: string;
  options: Option[];
  chosen: string[];
  onChange(chosen: string[]): void;
  isSearchable: boolean;
}

function ChoicesField({ label, options, chosen, onChange, isSearchable }: ChoicesFieldProps) {
  const say = useWords(words);
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length === 0 ? say.any : ''}
      data={options}
      value={chosen}
      onChange={onChange}
      searchable={isSearchable}
      renderPill={() => null}
      {...(chosen.length > 0 ? { leftSection: <span className={classes.count}>{chosen.length}</span> } : {})}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      hidePickedOptions={false}
    />
  );
}

function DatesField({ label, dates, onChange }: { label: string; dates: Dates; onChange(dates: Dates): void }) {
  const say = useWords(words);
  return (
    <>
      <DateFilter
        label={say.fromDate(label)}
        value={dates.from ?? ''}
        onApply={(from) => onChange({ to: dates.to, from: from || null })}
        rightSection={<PresetMenu label={label} onChoose={(preset) => onChange({ ...presetDays(preset), preset })} />}
      />
      <DateFilter
        label={say.toDate(label)}
        value={dates.to ?? ''}
        error={dates.from !== null && dates.to !== null && dates.to < dates.from && say.datesReversed}
        onApply={(to) => onChange({ from: dates.from, to: to || null })}
      />
    </>
  );
}

/** Applied on Enter, or when the typing pauses. */
function TextField({
  label,
  placeholder,
  value,
  onChange,
}: {
  label: string;
  placeholder: string | undefined;
  value: string;
  onChange(value: string): void;
}) {
  const [text, setText] = useState(value);
  const apply = useEffectEvent(() => {
    if (text.trim() !== value) onChange(text.trim());
  });
  // The browser's back and forward buttons and the chips also change the value.
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(apply, textWaitMs);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <TextInput
      label={label}
      placeholder={placeholder ?? ''}
      className={classes.text ?? ''}
      leftSection={<IconSearch size={14} aria-hidden />}
      value={text}
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing && text.trim() !== value) onChange(text.trim());
      }}
    />
  );
}

interface Chip {
  key: string;
  text: string;
  remove(): void;
}

function Chips({ chips, onClear }: { chips: Chip[]; onClear(): void }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Group gap={6} mt={8}>
      {chips.map(({ key, text, remove }) => (
        <Pill
          key={key}
          withRemoveButton
          onRemove={remove}
          removeButtonProps={{ 'aria-label': say.removeFilter(text), tabIndex: 0, 'aria-hidden': false }}
        >
          {text}
        </Pill>
      ))}
      <Button variant="subtle" size="compact-xs" onClick={onClear}>
        {shared.verb.clearAll}
      </Button>
    </Group>
  );
}

function chipsOf<Description extends FilterDescription>(
  { description, values, set }: UrlFilters<Description>,
  labels: Record<keyof Description, string>,
  optionsOf: (name: string) => Option[] | undefined,
  say: Pick<(typeof words)['en'], 'since' | 'until' | 'between' | 'preset'>,
): Chip[] {
  return Object.entries(description).flatMap(([name, filter]): Chip[] => {
    const value: unknown = values[name];
    if (isUnset(filter, value)) return [];
    const label = labels[name as keyof Description];
    const formatValue = (one: string) => optionsOf(name)?.find((option) => option.value === one)?.label ?? one;
    const remove = (rest: unknown) => () => set({ [name]: rest } as never);
    switch (filter.kind) {
      case 'text':
      case 'pick':
        return [{ key: name, text: `${label}: ${formatValue(value as string)}`, remove: remove('') }];
      case 'choices':
      case 'picks': {
        const all = value as string[];
        return all.map((one) => ({
          key: `${name}-${one}`,
          text: `${label}: ${formatValue(one)}`,
          remove: remove(all.filter((other) => other !== one)),
        }));
      }
      case 'dates': {
        const { from, to, preset } = value as Dates;
        const text = preset
          ? `${say.preset[preset]} (${from === to ? from : say.between(from!, to!)})`
          : from !== null && to !== null
            ? say.between(from, to)
            : from !== null
              ? say.since(from)
              : say.until(to ?? '');
        return [{ key: name, text: `${label}: ${text}`, remove: remove({ from: null, to: null }) }];
      }
      case 'flag':
        return [{ key: name, text: label, remove: remove(false) }];
      default:
        return filter satisfies never;
    }
  });
}
