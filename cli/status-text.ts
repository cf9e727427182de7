import { styleText } from 'node:util';
import { currentLook, formatTime } from './look.ts';
import type { Status } from './read-status.ts';
import type { StatusItem } from './status-attention.ts';
import { displayWidth } from './table.ts';

/** With the seven lines above them, that is ten. */
const itemLinesMax = 3;
const labelWidth = 11;

const colorOf = { fine: 'green', warning: 'yellow', urgent: 'red', critical: 'red' } as const;

/** The status of the service in at most ten lines. */
export function formatStatus(status: Status): string {
  const { addresses, accounts, attention } = status;
  const shown = attention.length > itemLinesMax ? attention.slice(0, itemLinesMax - 1) : attention;
  const rest = attention.length - shown.length;
  return [
    line('Lading', `${status.version}, ${formatTime(status.at)}: ${paint(verdictOf(status), status.state)}`),
    line('service', serviceText(status)),
    line('addresses', `${addresses.console}  ${addresses.docs}`),
    line('database', databaseText(status.database)),
    line('accounts', `${accounts.uat} for tests (UAT), ${accounts.production} in production`),
    line('orders', ordersText(status.orders_today)),
    line('callbacks', callbacksText(status.callbacks_waiting)),
    ...shown.map((item) => itemLine(item)),
    ...(rest > 0 ? [line('', `and ${rest} more: ${addresses.console}`)] : []),
  ].join('\n');
}

function line(label: string, text: string): string {
  return fitted(`${label.padEnd(labelWidth)}${text}`);
}

/** A line that wraps would make more than ten. `--wide` shows all of it. */
function fitted(text: string): string {
  const { width } = currentLook();
  if (width === null || plainWidth(text) <= width) return text;
  let cut = text;
  while (cut !== '' && plainWidth(cut) > width - 1) cut = cut.slice(0, -1);
  return `${cut}…`;
}

function plainWidth(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with this character
  return displayWidth(text.replace(/\u001b\[\d+m/g, ''));
}

function paint(text: string, state: keyof typeof colorOf): string {
  return styleText(colorOf[state], text, { stream: process.stdout });
}

function verdictOf({ state, attention }: Status): string {
  const urgent = attention.filter(({ severity }) => severity === 'critical').length;
  const warnings = attention.length - urgent;
  if (state === 'fine') return 'nothing needs attention';
  return [urgent > 0 ? `${urgent} urgent` : '', warnings > 0 ? counted(warnings, 'warning') : '']
    .filter(Boolean)
    .join(', ');
}

function serviceText({ service: { health, processes, uptime_s } }: Status): string {
  const living = processes.filter(({ is_silent }) => !is_silent);
  if (uptime_s === null) return paint('not running', 'urgent');
  const versions = [...new Set(living.map(({ version }) => version))].join(' and ');
  const states = {
    ready: paint('ready', 'fine'),
    not_ready: paint('not ready', 'urgent'),
    no_answer: paint('no response', 'urgent'),
  };
  return `${states[health]}, ${counted(living.length, 'process', 'processes')} of version ${versions}, up ${duration(uptime_s)}`;
}

function databaseText({ kind, version, role, synchronous_standbys, size_bytes, disk }: Status['database']): string {
  const name = kind === 'embedded' ? `embedded PostgreSQL ${version}` : `PostgreSQL ${version}`;
  const standbys = synchronous_standbys ? ` with ${counted(synchronous_standbys, 'synchronous standby')}` : '';
  const space = disk === null ? '' : `, ${bytes(disk.free_bytes)} of disk free`;
  return `${name}, ${role}${standbys}, ${bytes(size_bytes)}${space}`;
}

function ordersText({ day, count, is_more, by_status }: Status['orders_today']): string {
  const parts = Object.entries(by_status).map(([status, one]) => `${one} ${status}`);
  return `${is_more ? 'more than ' : ''}${count} created on ${day}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}

function callbacksText({ count, is_more, oldest_at }: Status['callbacks_waiting']): string {
  if (count === 0) return 'none are waiting';
  return `${is_more ? 'more than ' : ''}${count} waiting${oldest_at === null ? '' : `, the oldest since ${formatTime(oldest_at)}`}`;
}

function itemLine({ severity, what, next }: StatusItem): string {
  const label = severity === 'critical' ? 'urgent' : 'warning';
  return fitted(`${paint(label.padEnd(labelWidth), severity)}${what}: ${next}`);
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function duration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const;
  const first = units.findIndex(([, length]) => seconds >= length);
  if (first === -1) return '0 s';
  const [unit, length] = units[first]!;
  const rest = units[first + 1];
  const remaining = rest === undefined ? 0 : Math.floor((seconds % length) / rest[1]);
  return `${Math.floor(seconds / length)} ${unit}${remaining > 0 ? ` ${remaining} ${rest![0]}` : ''}`;
}

function bytes(count: number): string {
  const [size, unit] = count >= 1e9 ? [count / 1e9, 'GB'] : [count / 1e6, 'MB'];
  return `${size >= 100 ? size.toFixed(0) : size.toFixed(1)} ${unit}`;
}
