import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressBuild } from './compress-build.ts';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // A proxy may serve us below a path of its own, so no address is absolute.
  base: './',
  plugins: [react(), compressBuild()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // These know light-dark() in style sheets.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    // A data: address is forbidden by the policy of the pages.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
});
