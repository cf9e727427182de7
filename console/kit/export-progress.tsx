import { Button, CloseButton, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import classes from './export-progress.module.css';
import { exportWords } from './export-words.ts';
import { dismissExport, type RunningExport, useExports } from './exports.ts';
import { useWords } from './language.tsx';
import { formatError } from './notices.tsx';
import { formatNumber } from './number.ts';
import { sharedWords } from './shared-words.ts';

/** The exports under way, in a corner of every page. */
export function ExportProgress() {
  const say = useWords(exportWords);
  const exports = useExports();
  if (exports.length === 0) return null;
  return (
    <section className={classes.corner} aria-label={say.exports}>
      <Stack gap="xs">
        {exports.map((one) => (
          <Progress key={one.id} export={one} />
        ))}
      </Stack>
    </section>
  );
}

function Progress({ export: { id, title, format, rows, state, error, cancel } }: { export: RunningExport }) {
  const say = useWords(exportWords);
  const shared = useWords(sharedWords);
  const name = `${title} (${format.toUpperCase()})`;
  return (
    <Paper withBorder shadow="sm" p="sm" className={classes.export ?? ''}>
      <Group wrap="nowrap" gap="sm" align="flex-start">
        {state === 'running' && <Loader size={18} aria-hidden />}
        {state === 'done' && <IconCheck size={18} aria-hidden />}
        {state === 'failed' && <IconAlertTriangle size={18} aria-hidden />}
        <div className={classes.texts}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="sm" role={state === 'running' ? undefined : 'status'}>
            {state === 'running' && say.rowsSoFar(formatNumber(rows))}
            {state === 'done' && say.saved(formatNumber(rows))}
            {state === 'failed' && error !== null && formatError(error, shared.errorKind)}
          </Text>
        </div>
        {state === 'running' ? (
          <Button size="compact-sm" variant="default" onClick={cancel}>
            {say.cancel}
          </Button>
        ) : (
          <CloseButton aria-label={shared.verb.close} onClick={() => dismissExport(id)} />
        )}
      </Group>
    </Paper>
  );
}
