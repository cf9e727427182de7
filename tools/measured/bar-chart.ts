/** A horizontal bar. */
export interface Bar {
  label: string;
  value: number;
  /** The value as people read it. */
  text: string;
  /** Ours are coloured, those that they are compared with are grey. */
  isOurs: boolean;
}

export interface BarChart {
  title: string;
  bars: Bar[];
}

const width = 720;
const labelWidth = 250;
/** For the text behind the longest bar. */
const textWidth = 120;
const titleHeight = 40;
const rowHeight = 30;
const barHeight = 18;
const style = `text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-size:15px;font-weight:600}
.ours{fill:#1f6feb}.others{fill:#afb8c1}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.ours{fill:#4493f8}.others{fill:#656c76}}`;

/** The chart as SVG, on light and dark pages. Screen readers get all values from its description. */
export function drawBars({ title, bars }: BarChart): string {
  const longest = Math.max(...bars.map(({ value }) => value));
  const height = titleHeight + rowHeight * bars.length + 8;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<desc>${escapeXml(describeBars(bars))}</desc>`,
    `<style>${style}</style>`,
    `<text class="title" x="8" y="24">${escapeXml(title)}</text>`,
    ...bars.map((bar, index) => drawBar(bar, titleHeight + rowHeight * index, longest)),
    '</svg>\n',
  ].join('\n');
}

export function describeBars(bars: Bar[]): string {
  return bars.map(({ label, text }) => `${label}: ${text}`).join('; ');
}

function drawBar({ label, value, text, isOurs }: Bar, top: number, longest: number): string {
  const length = Math.max(1, Math.round((value / longest) * (width - labelWidth - textWidth)));
  const baseline = top + barHeight - 4;
  return [
    `<text x="${labelWidth - 10}" y="${baseline}" text-anchor="end">${escapeXml(label)}</text>`,
    `<rect class="${isOurs ? 'ours' : 'others'}" x="${labelWidth}" y="${top}" width="${length}" height="${barHeight}" rx="2"/>`,
    `<text x="${labelWidth + length + 8}" y="${baseline}">${escapeXml(text)}</text>`,
  ].join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
