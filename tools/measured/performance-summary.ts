import type { KeptLine } from '../../faults/measured-page.ts';
import type { Bar } from './bar-chart.ts';
import { figuresOf, type SummaryPart, withCommas } from './summary.ts';

/** What a buyer wants to know about speed, the most important part first. Parts that were not measured are left out. */
export function summarizePerformance(lines: KeptLine[]): SummaryPart[] {
  return [flashSale(lines), growth(lines), ordersPerSecond(lines)].filter((part) => part !== null);
}

const pgbench = /^pgbench, same tables, best/;
const pgbenchCrowd = /^pgbench, same tables, 32 clients$/;
const plainProgram = /^one by one behind the same HTTP/;

function flashSale(lines: KeptLine[]): SummaryPart | null {
  const [many, crowd, plain] = rates(lines, 'hot', [/^the service at 256$/, pgbenchCrowd, plainProgram]);
  if (many === undefined || crowd === undefined || plain === undefined) return null;
  return {
    file: 'flash-sale',
    sentence: `When everybody wants the same product, ${withCommas(many)} orders per second are checked against the stock and written to disk, ${times(many / plain)} as many as by a program that takes one order after the other.`,
    chart: {
      title: 'Orders per second, all for one product',
      bars: [
        rateBar('Lading', many, true),
        rateBar("PostgreSQL's load tool, 32 clients", crowd, false),
        rateBar('One order after the other', plain, false),
      ],
    },
  };
}

function ordersPerSecond(lines: KeptLine[]): SummaryPart | null {
  const wanted = [/^the service at 256$/, /^the service at 64$/, pgbench, plainProgram];
  const [most, many, tool, plain] = rates(lines, 'spread', wanted);
  if (most === undefined || many === undefined || tool === undefined || plain === undefined) return null;
  return {
    file: 'orders-per-second',
    sentence: `Orders for many products come at ${withCommas(most)} per second, ${times(most / tool)} as many as PostgreSQL's own load tool writes into the same tables.`,
    chart: {
      title: 'Orders per second, 200 products',
      bars: [
        rateBar('Lading, 256 connections', most, true),
        rateBar('Lading, 64 connections', many, true),
        rateBar("PostgreSQL's load tool at its best", tool, false),
        rateBar('One order after the other', plain, false),
      ],
    },
  };
}

function growth(lines: KeptLine[]): SummaryPart | null {
  const measured = figuresOf(lines, 'growth', 'goals: orders per second, 64 connections').filter(
    (figures) => Number(figures['stored orders']) > 0,
  );
  const last = measured.findLast(({ shape }) => shape === 'spread');
  if (last === undefined) return null;
  const bars = measured.map(({ shape, ratio, 'stored orders': stored }): Bar => {
    const products = shape === 'hot' ? 'one product' : '200 products';
    const percent = 100 * Number(ratio);
    return {
      label: `${millions(stored)} orders, ${products}`,
      value: percent,
      text: `${percent.toFixed(0)} %`,
      isOurs: true,
    };
  });
  return {
    file: 'growth',
    sentence: `It stays fast: with ${millions(last['stored orders'])} stored orders, new ones come at ${(100 * Number(last.ratio)).toFixed(0)} % of the speed of an empty database.`,
    chart: { title: 'Speed with stored orders, compared with none', bars },
  };
}

/** Orders per second of each of these ways. */
function rates(lines: KeptLine[], shape: string, ways: RegExp[]): (number | undefined)[] {
  const rows = figuresOf(lines, 'outbound', 'orders per second').filter((figures) => figures.shape === shape);
  return ways.map((way) => {
    const row = rows.find((figures) => way.test(String(figures.way)));
    return row && Number(row['per second']);
  });
}

function rateBar(label: string, value: number, isOurs: boolean): Bar {
  return { label, value, text: withCommas(value), isOurs };
}

function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 1 : 0)} times`;
}

function millions(count: number | string | undefined): string {
  const number = Number(count) / 1_000_000;
  return number === 1 ? '1 million' : `${number} million`;
}
