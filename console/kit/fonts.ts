import { basePath } from './base-path.ts';

// Phones have Chinese fonts of their own, and the pages for picking open on the slow network between shelves: they load the
// Latin letters only. Print-outs look the same from every device.
const isBelow = (folder: string) => location.pathname.startsWith(`${basePath}/${folder}`);
const isOnFloor = isBelow('picking') || (matchMedia('(max-width: 48em)').matches && !isBelow('print'));

/**
 * Ends when the browser knows the fonts of the console. They load in parallel with the first page and do not delay it. Only
 * after this does `document.fonts.ready` wait for them.
 */
export const fontsKnown: Promise<unknown> = loadFonts();

async function loadFonts(): Promise<void> {
  // Vite loads the styles of both if the two imports are in one expression.
  if (isOnFloor) await import('../latin-font.css');
  else await import('@fontsource-variable/noto-sans-tc/index.css');
}
