/** Where the console is served: `/console`, behind a proxy perhaps `/oms/console`. All scripts lie in the folder `assets` below it. */
export const basePath = new URL(/* @vite-ignore */ '..', import.meta.url).pathname.replace(/\/$/, '');
