import { use } from 'react';
import type { BarcodeDrawing } from './draw-barcode.ts';

// Begins to load with the first page that shows a barcode; the library is larger than the page.
const drawing = import('./draw-barcode.ts');

/**
 * The widths of the narrowest bar that printers draw without rounding: three or two dots of a thermal printer with
 * 203 dpi, two dots with 300 dpi.
 */
const moduleWidthsMm = [0.375, 0.25, 0.17];

interface BarcodeProps {
  text: string;
  widthMm: number;
  /** The width that a long text may take instead, in a row of its own. */
  aloneMm?: number;
  heightMm: number;
  /** There is a QR code of the text beside it. */
  hasQr?: boolean;
}

/**
 * A Code 128 symbol with the widest bars that fit. If none fit, or the text has characters that the symbol cannot have,
 * it is a QR code.
 */
export function Barcode({ text, widthMm, aloneMm = widthMm, heightMm, hasQr = false }: BarcodeProps) {
  const { drawCode128 } = use(drawing);
  const symbol = drawCode128(text);
  const widest = (limitMm: number) => symbol && moduleWidthsMm.find((width) => width * symbol.modules <= limitMm);
  const moduleMm = widest(widthMm) ?? widest(aloneMm);
  if (symbol && moduleMm)
    return (
      <DrawnSymbol symbol={symbol} kind="code128" text={text} widthMm={moduleMm * symbol.modules} heightMm={heightMm} />
    );
  return hasQr ? null : <QrSymbol text={text} sizeMm={Math.max(heightMm, qrSizeMinMm)} />;
}

const qrSizeMinMm = 18;

export function QrSymbol({ text, sizeMm }: { text: string; sizeMm: number }) {
  const { drawQrCode } = use(drawing);
  return <DrawnSymbol symbol={drawQrCode(text)} kind="qr" text={text} widthMm={sizeMm} heightMm={sizeMm} />;
}

interface SymbolProps {
  symbol: BarcodeDrawing;
  kind: 'code128' | 'qr';
  text: string;
  widthMm: number;
  heightMm: number;
}

/** The white space that scanners need around a symbol is that of the page around it. */
function DrawnSymbol({ symbol: { viewBox, paths }, kind, text, widthMm, heightMm }: SymbolProps) {
  return (
    <svg
      role="img"
      aria-label={text}
      data-symbol={kind}
      viewBox={viewBox}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      style={{ display: 'block', flex: 'none', width: `${widthMm}mm`, height: `${heightMm}mm` }}
    >
      {paths.map(({ d, strokeWidth }) => (
        <path key={d} d={d} {...(strokeWidth === null ? { fill: '#000' } : { stroke: '#000', strokeWidth })} />
      ))}
    </svg>
  );
}
