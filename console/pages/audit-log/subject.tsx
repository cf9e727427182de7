import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useWords } from '../../kit/language.tsx';
import { words } from './words.ts';

const pageOf = {
  order: '/orders',
  inbound: '/inbound',
  lot: '/stock',
  product: '/products',
  batch: '/picking',
  warehouse: null,
} as const;

/** The subject of an action; documents, lots and products link to their page. */
export function Subject({ subject }: { subject: string | null }) {
  const say = useWords(words);
  if (subject === null) return '–';
  const [, kind, number = ''] = /^(order|inbound|lot|product|batch|warehouse) (\d+)$/.exec(subject) ?? [];
  if (kind === undefined) return <span style={{ overflowWrap: 'anywhere' }}>{subject}</span>;
  const text = say.about[kind as keyof typeof pageOf](number);
  const page = pageOf[kind as keyof typeof pageOf];
  if (page === null) return text;
  return (
    <Anchor component={Link} to={`${page}/${number}`} inherit>
      {text}
    </Anchor>
  );
}
