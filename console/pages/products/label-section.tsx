import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ProductDetail } from '../../../contract/console/products.ts';
import { Facts } from '../../kit/facts.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { EditLabels } from './edit-labels.tsx';
import classes from './products.module.css';
import { words } from './words.ts';

/** The codes of a product and its locations, which staff can change. */
export function LabelSection({ detail }: { detail: ProductDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('staff');
  const [isEditing, setEditing] = useState(false);
  const { product, warehouses } = detail;
  const locationOf = new Map(product.locations.map(({ warehouse_no, location }) => [warehouse_no, location]));
  return (
    <Section
      title={say.labels}
      actions={
        mayChange && (
          <Button variant="subtle" onClick={() => setEditing(true)}>
            {shared.verb.edit}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          { label: say.codes, wide: true, value: product.codes.length > 0 && <Codes codes={product.codes} /> },
          ...warehouses.map(({ warehouse_no, name }) => ({
            label: say.locationIn(`${warehouse_no} ${name}`.trim()),
            value: locationOf.get(warehouse_no) ?? null,
          })),
        ]}
      />
      {isEditing && <EditLabels detail={detail} onClose={() => setEditing(false)} />}
    </Section>
  );
}

function Codes({ codes }: Pick<ProductDetail['product'], 'codes'>) {
  const say = useWords(words);
  return (
    <ul className={classes.codes}>
      {codes.map(({ code, units }) => (
        <li key={code}>
          <span className={classes.code}>{code}</span>{' '}
          <span className={classes.small}>{units === 1 ? say.oneUnit : say.cartonOf(formatNumber(units))}</span>
        </li>
      ))}
    </ul>
  );
}
