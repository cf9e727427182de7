import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { ImportKind } from '../../../contract/console/imports.ts';
import { useWords } from '../../kit/language.tsx';
import { useMay } from '../../kit/session.tsx';
import { words } from './words.ts';

/** Leads from a list to its import. */
export function ImportLink({ kind }: { kind: ImportKind }) {
  const say = useWords(words);
  if (!useMay('staff')) return null;
  return (
    <Button variant="default" component={Link} to={`/import?kind=${kind}`}>
      {say.open[kind]}
    </Button>
  );
}
