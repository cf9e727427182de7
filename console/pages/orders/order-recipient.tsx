import { Text } from '@mantine/core';
import type { OrderDetail } from '../../../contract/console/orders.ts';
import { type Fact, Facts } from '../../kit/facts.tsx';
import { useWords } from '../../kit/language.tsx';
import { Section } from '../../kit/section.tsx';
import classes from './orders.module.css';
import { words } from './words.ts';

/** The recipient, and the label of the pickup store. */
export function OrderRecipient({
  order: { recipient, store_pickup_label_data: label, is_masked },
}: {
  order: OrderDetail;
}) {
  const { detail: say } = useWords(words);
  const { name, phone, country, zip, city, address, customer_name, note } = recipient;
  const isEmpty = Object.values({ ...recipient, label }).every((one) => one === null || one === '');
  const where = [zip, city, address, country].filter((part) => part !== null && part !== '').join(' ');
  return (
    <>
      <Section title={say.recipient}>
        {is_masked && !isEmpty && (
          <Text size="sm" c="dimmed" mb="xs">
            {say.masked}
          </Text>
        )}
        {[name, phone, customer_name, note].every((one) => one === null || one === '') &&
          where === '' &&
          say.recipientNone}
        <Facts
          facts={[
            name !== null && { label: say.recipientName, value: name },
            phone !== null && { label: say.phone, value: phone },
            where !== '' && { label: say.address, value: where, wide: true },
            customer_name !== null && customer_name !== name && { label: say.customer, value: customer_name },
            note !== null &&
              note !== '' && {
                label: say.partnerNote,
                value: <span className={classes.text}>{note}</span>,
                wide: true,
              },
          ]}
        />
      </Section>
      {label !== null && Object.keys(label).length > 0 && (
        <Section title={say.label}>
          <Facts facts={labelFacts(label)} />
        </Section>
      )}
    </>
  );
}

const labelFactsMax = 200;

/** The fields have the partner's own names; a nested field has its path, such as `store.code`. */
export function labelFacts(label: Record<string, unknown>): Fact[] {
  const facts: Fact[] = [];
  const visit = (name: string, value: unknown) => {
    if (facts.length >= labelFactsMax) return;
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(name === '' ? key : `${name}.${key}`, inner);
    } else facts.push({ label: name, value: value === null ? '' : String(value) });
  };
  visit('', label);
  return facts;
}
