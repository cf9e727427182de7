import { code128, drawingSVG, qrcode } from 'bwip-js/browser';

/** A symbol without margins. Its width is in modules, the widths of its narrowest bar. */
export interface BarcodeDrawing {
  modules: number;
  /** The coordinates of the paths. */
  viewBox: string;
  paths: { d: string; strokeWidth: string | null }[];
}

const heightMm = 10;

/** null: the text has characters that scanners would not type as they are. */
export function drawCode128(text: string): BarcodeDrawing | null {
  if (!/^[ -~]+$/.test(text)) return null;
  return readDrawing(code128({ bcid: 'code128', text, scale: 1, height: heightMm }, drawingSVG()), 1);
}

/** The code has error correction of level M or higher: a scanner reads it even if 15 % of the symbol is damaged. */
export function drawQrCode(text: string): BarcodeDrawing {
  return readDrawing(qrcode({ bcid: 'qrcode', text, scale: 1 }, drawingSVG()), 2);
}

/** The library draws an SVG as a text; the parts of it become elements of the page. */
function readDrawing(svg: string, unitsPerModule: number): BarcodeDrawing {
  const [, viewBox = '', width = ''] = /viewBox="(0 0 (\d+) \d+)"/.exec(svg) ?? [];
  const paths = [...svg.matchAll(/<path ([^>]*)\/>/g)].map(([, attributes = '']) => ({
    d: / ?\bd="([^"]+)"/.exec(attributes)?.[1] ?? '',
    strokeWidth: /stroke-width="([^"]+)"/.exec(attributes)?.[1] ?? null,
  }));
  return { modules: Number(width) / unitsPerModule, viewBox, paths };
}
