import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';

const colors = { fatal: 'red', error: 'red', warn: 'yellow', info: 'green', debug: 'dim', trace: 'dim' } as const;

/** Writes log lines for a person at a terminal: `01:28:23 warn  the message  key=value`. Pipes and files get JSON. */
export function readableErrors(): DestinationStream {
  return { write: (line) => void process.stderr.write(formatLogLine(line)) };
}

export function formatLogLine(line: string): string {
  const { time, level, msg = '', stack, ...more } = JSON.parse(line) as LogLine;
  const color = colors[level as keyof typeof colors] ?? 'dim';
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    styleText(style, text, { stream: process.stderr });
  const fields = Object.entries(more).map(([name, value]) => `${name}=${formatValue(value)}`);
  const parts = [paint('dim', taipeiClock(time)), paint(color, level.padEnd(5)), msg, paint('dim', fields.join(' '))];
  const frames = (stack ?? []).map((frame) => `\n         ${frame}`).join('');
  return `${parts.join(' ').trimEnd()}${frames}\n`;
}

interface LogLine {
  time: string;
  level: string;
  msg?: string;
  stack?: string[];
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[\s"=]/.test(text) && typeof value === 'string' ? JSON.stringify(value) : text;
}

const clockOfTaipei = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Taipei',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

function taipeiClock(time: string): string {
  return clockOfTaipei.format(new Date(time));
}
