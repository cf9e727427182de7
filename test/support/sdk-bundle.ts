import { build } from 'vite';

/** The client library as one script that sets `lading`. `neutral` is neither Node nor a browser, such as a Worker. */
export async function sdkBundle(platform: 'browser' | 'neutral'): Promise<string> {
  const entry = new URL('../../sdk/client.ts', import.meta.url).pathname;
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      lib: { entry, formats: ['iife'], name: 'lading' },
      rolldownOptions: { platform },
      write: false,
      minify: false,
    },
  });
  const [{ output }] = [built].flat() as unknown as [{ output: { code: string }[] }];
  return output.map(({ code }) => code).join('\n');
}
