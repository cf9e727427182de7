import { Button, Group, Popover, Stack, Switch } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExportFormat, ExportList } from '../../contract/console/exports.ts';
import { exportListTitles } from '../../messages/export-texts.ts';
import { exportWords } from './export-words.ts';
import { exportListOf, startExport } from './exports.ts';
import { useLanguage, useWords } from './language.tsx';
import { useMay } from './session.tsx';
import type { LiveList } from './use-live-list.ts';

const formats = ['xlsx', 'csv'] as const satisfies readonly ExportFormat[];
const withLines: ExportList[] = ['orders', 'inbound'];

interface ExportMenuProps extends Pick<LiveList<never>, 'question'> {
  /** Default: the list of the call. */
  list?: ExportList | null;
}

/** Exports a list with its filters. Nothing is shown for lists that cannot be exported. */
export function ExportMenu({ question, list = exportListOf(question?.path) }: ExportMenuProps) {
  const mayExport = useMay('staff');
  if (list === null || !mayExport) return null;
  return <Choices list={list} filters={question!.body} />;
}

function Choices({ list, filters }: { list: ExportList; filters: object }) {
  const say = useWords(exportWords);
  const { language } = useLanguage();
  const [opened, setOpened] = useState(false);
  const [parts, setParts] = useState<ExportParts>(withLines.includes(list) ? { lines: true } : {});
  const start = (format: ExportFormat) => {
    const { page_size: _, ...own } = filters as { page_size?: number };
    setOpened(false);
    void startExport(exportListTitles[list][language === 'en' ? 0 : 1], {
      list,
      format,
      language,
      filters: own,
      ...parts,
    });
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={300}
      shadow="sm"
      trapFocus
      withinPortal={false}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {say.export}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={say.export}>
        <Stack gap="sm">
          <Parts list={list} parts={parts} onChange={setParts} />
          <Group grow gap="xs">
            {formats.map((format) => (
              <Button key={format} variant="default" onClick={() => start(format)}>
                {say.format[format]}
              </Button>
            ))}
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ExportParts {
  lines?: boolean;
  recipients?: boolean;
}

/** The parts of the file that the operator may choose. */
function Parts({
  list,
  parts,
  onChange,
}: {
  list: ExportList;
  parts: ExportParts;
  onChange(parts: ExportParts): void;
}) {
  const say = useWords(exportWords);
  const mayExportRecipients = useMay('admin') && list === 'orders';
  return (
    <>
      {withLines.includes(list) && (
        <Switch
          label={say.lines}
          checked={parts.lines ?? false}
          onChange={(event) => onChange({ ...parts, lines: event.currentTarget.checked })}
        />
      )}
      {mayExportRecipients && (
        <Switch
          label={say.recipients}
          description={say.recipientsHint}
          checked={parts.recipients ?? false}
          onChange={(event) => onChange({ ...parts, recipients: event.currentTarget.checked })}
        />
      )}
    </>
  );
}
