import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { formatPath, makeChecker } from '../platform/json/schema.ts';
import { syncFolder, writeDurably } from '../platform/secret-file.ts';

/** Why an export or an import cannot be done, for the operator. */
export class CannotMove extends Error {}

const format = 1;
const manifestFile = 'manifest.json';
/** The names are part of paths, so they must not lead out of the folder. */
const fileName = '^[a-z0-9_]+\\.[0-9]{4,}\\.gz$';
const decimal = '^-?[0-9]{1,40}$';

const Part = Type.Object({
  file: Type.String({ pattern: fileName }),
  /** The partition that holds the rows, if the table has partitions. */
  partition: Type.Union([Type.String(), Type.Null()]),
  rows: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

const ExportedTable = Type.Object({
  name: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Type.Integer({ minimum: 0 }),
  /** The sum of the hashes of all rows: the same for the same rows in any order. */
  checksum: Type.String({ pattern: decimal }),
  parts: Type.Array(Part),
});

const Manifest = Type.Object({
  format: Type.Literal(format),
  export_id: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  exported_at: Type.String(),
  lading_version: Type.String(),
  postgres_version: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
  /** The master keys that the secrets need. */
  master_key_ids: Type.Array(Type.String()),
  tables: Type.Array(ExportedTable),
  sequences: Type.Array(
    Type.Object({ name: Type.String(), last_value: Type.String({ pattern: decimal }), is_called: Type.Boolean() }),
  ),
});

export type Manifest = Static<typeof Manifest>;
export type ExportedTable = Static<typeof ExportedTable>;
export type Part = Static<typeof Part>;
export const manifestFormat = format;

/** Written last, under a temporary name: a folder with a manifest is whole. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const unfinished = join(folder, `${manifestFile}.new`);
  writeDurably(unfinished, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(unfinished, join(folder, manifestFile));
  syncFolder(folder);
}

export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestFile);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CannotMove(
      error.code === 'ENOENT'
        ? `${path} does not exist: the folder is not an export, or the export was not finished`
        : `${path} cannot be read (${error.code})`,
    );
  });
  const checked = makeChecker(Manifest)(parse(text, path));
  if (checked.kind === 'valid') return checked.value;
  const [first] = checked.mistakes;
  throw new CannotMove(`${path} is not a manifest of format ${format}: ${formatPath(first!.path)} is wrong`);
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CannotMove(`${path} is not JSON`);
  }
}

export function rowsIn({ tables }: Pick<Manifest, 'tables'>): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

export function bytesIn({ tables }: Pick<Manifest, 'tables'>): number {
  return tables.reduce((sum, { parts }) => sum + parts.reduce((inTable, { bytes }) => inTable + bytes, 0), 0);
}
