import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ImportedDocument } from '../../../contract/console/imports.ts';
import type { Message } from '../../../messages/message.ts';
import type { AskError } from '../../kit/ask-error.ts';
import { announceOwnChange } from '../../kit/live.ts';
import { useNotices } from '../../kit/notices.tsx';
import { readFile } from './read-file.ts';
import { readCells } from './read-text.ts';
import { type CheckedFile, checkFile, type ImportProgress, type ImportTarget, importFile } from './run-import.ts';
import { type ImportTable, ReadError } from './table.ts';

/** A file or pasted cells, as they were read. */
export interface ReadSource {
  name: string;
  table: ImportTable;
}

export type ImportStep =
  | { kind: 'waiting' }
  | { kind: 'unreadable'; name: string; error: ReadError }
  | { kind: 'checking' | 'importing'; progress: ImportProgress }
  | { kind: 'refused'; mistakes: Message[] }
  | { kind: 'checked'; file: CheckedFile }
  /** `isWhole` is false if the import was stopped or broken off. */
  | { kind: 'imported'; documents: ImportedDocument[]; isWhole: boolean };

/** One import, from the file to its result. */
export function useImport(target: ImportTarget, isComplete: boolean) {
  const client = useQueryClient();
  const notices = useNotices();
  const [source, setSource] = useState<ReadSource | null>(null);
  const [step, setStep] = useState<ImportStep>({ kind: 'waiting' });
  const { begin, isCurrent, stop } = useLatest();
  const fail = (error: unknown, signal: AbortSignal) => !signal.aborted && notices.failed(error as AskError);

  const check = async (read: ReadSource) => {
    const signal = begin();
    const onProgress = (progress: ImportProgress) => setStep({ kind: 'checking', progress });
    onProgress({ done: 0, of: read.table.rows.length });
    try {
      setStep(await checkFile(target, read.table, { signal, onProgress }));
    } catch (error) {
      fail(error, signal);
      if (isCurrent(signal)) setStep({ kind: 'waiting' });
    }
  };

  const take = async (name: string, read: () => ImportTable | Promise<ImportTable>) => {
    begin();
    setStep({ kind: 'waiting' });
    setSource(null);
    const reading = await readOrExplain(read);
    if (reading instanceof ReadError) return setStep({ kind: 'unreadable', name, error: reading });
    setSource({ name, table: reading });
    if (isComplete) await check({ name, table: reading });
  };

  const send = async (file: CheckedFile) => {
    if (source === null) return;
    const signal = begin();
    const onProgress = (progress: ImportProgress) => setStep({ kind: 'importing', progress });
    const { documents, error } = await importAll(target, source, file, { signal, onProgress });
    if (error !== null) fail(error, signal);
    setStep({ kind: 'imported', documents, isWhole: error === null });
    void client.invalidateQueries({ queryKey: ['ask'] });
    announceOwnChange();
  };

  return {
    source,
    step,
    takeFile: (file: File) => take(file.name, () => readFile(file)),
    takeCells: (name: string, text: string) => take(name, () => readCells(text)),
    check: () => source && check(source),
    send,
    stop,
    /** Another account or kind: what was checked holds no longer. */
    forget() {
      begin();
      setStep({ kind: 'waiting' });
    },
  };
}

/** Only the latest work goes on. */
function useLatest() {
  const running = useRef<AbortController | null>(null);
  return {
    begin() {
      running.current?.abort();
      running.current = new AbortController();
      return running.current.signal;
    },
    isCurrent: (signal: AbortSignal) => running.current?.signal === signal,
    stop: () => running.current?.abort(),
  };
}

/** The documents that were answered, also if a later block failed. */
async function importAll(
  target: ImportTarget,
  { name, table }: ReadSource,
  file: CheckedFile,
  watch: { signal: AbortSignal; onProgress(progress: ImportProgress): void },
): Promise<{ documents: ImportedDocument[]; error: unknown }> {
  const documents: ImportedDocument[] = [];
  try {
    await importFile(target, table, name, file, {
      ...watch,
      onAnswer: (answer) => documents.push(...answer.documents),
    });
    return { documents, error: null };
  } catch (error) {
    return { documents, error };
  }
}

async function readOrExplain(read: () => ImportTable | Promise<ImportTable>): Promise<ImportTable | ReadError> {
  try {
    const table = await read();
    return table.rows.length === 0 ? new ReadError('empty') : table;
  } catch (error) {
    return error instanceof ReadError ? error : new ReadError('not_a_spreadsheet');
  }
}
