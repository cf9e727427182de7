/**
 * The path that the console is served from: `/console`, or for example `/oms/console` behind a proxy. All scripts are
 * in its `assets` folder.
 */
export const basePath = new URL(/* @vite-ignore */ '..', import.meta.url).pathname.replace(/\/$/, '');
