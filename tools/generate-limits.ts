import type { TSchema } from 'typebox';
import { testsPerMinuteMax } from '../contract/logistics/callback-test.ts';
import { eventIdsMax, redeliverMax } from '../contract/main/callbacks-redeliver.ts';
import { anyOfMax, cursorLengthMax, pageSizeDefault, pageSizeMax } from '../contract/main/search-list.ts';
import { logisticsReference } from '../reference/logistics/endpoints.ts';
import { mainReference } from '../reference/main/endpoints.ts';
import type { ContractReference } from '../reference/reference.ts';
import { warehouseReference } from '../reference/warehouse/endpoints.ts';
import { giveUpAfterHours } from '../server/domain/callbacks/owed-callback-queries.ts';
import { deliveryRules } from '../server/domain/callbacks/retry-schedule.ts';
import { skewMaxSeconds } from '../server/domain/partners/request-signature.ts';
import { lotUnitsMax } from '../server/domain/stock/lot.ts';
import {
  anonymousBodyMaxBytes,
  bodiesHeldMaxBytes,
  bodyMaxBytes,
  diagnosesPerMinute,
  headersDeadlineSeconds,
  requestDeadlineSeconds,
} from '../server/http/limits.ts';
import { keysMax } from '../server/platform/json/object-keys.ts';
import { depthMax, valuesMax } from '../server/platform/json/strict-json.ts';
import {
  failureForgottenAfterMs,
  failuresMax,
  nameFailureForgottenAfterMs,
  nameFailuresMax,
} from '../server/platform/limits/brute-force-limiter.ts';
import { settings } from '../server/settings.ts';
import { replaceBetweenMarks } from './generate-between-marks.ts';

/** Generates the tables of docs/limits.md from the code that enforces the limits. */
export function generateLimits(text: string): string {
  const tables = {
    requests: requestLimits,
    searching: searchLimits,
    callbacks: callbackLimits,
    'warehouse fields': fieldLimits(warehouseReference),
    'main fields': fieldLimits(mainReference),
    'logistics fields': fieldLimits(logisticsReference),
  };
  return Object.entries(tables).reduce(
    (generated, [name, rows]) => replaceBetweenMarks(generated, name, tableOf(rows)),
    text,
  );
}

type Row = string[];

const fallbackOf = (name: string) => settings.find((setting) => setting.name === name)!.fallback;

const requestLimits: Row[] = [
  ['limit', 'value', 'response if exceeded'],
  ['size of a body', `${bodyMaxBytes / 1024 / 1024} MiB`, '413, and the connection is closed'],
  ['size of a body for the token endpoint', `${anonymousBodyMaxBytes / 1024} KiB`, '413, and the connection is closed'],
  ['total size of all headers', '16 KiB', '431'],
  ['time for the headers to arrive', `${headersDeadlineSeconds} s`, '408'],
  ['time for the whole request to arrive', `${requestDeadlineSeconds} s`, '408'],
  ['depth of JSON', `${depthMax} levels`, '400'],
  ['fields, array entries, objects and arrays in one body, in total', counted(valuesMax), '400'],
  ['keys of large JSON objects (with more than 24 keys), in total', counted(keysMax), '400'],
  ['clock difference of a signed request', `${skewMaxSeconds} s in either direction`, '401'],
  ['diagnoses of rejected signatures per minute and UAT account, on each node', String(diagnosesPerMinute), '429'],
  [
    'requests per second and account, on each node',
    `${fallbackOf('RATE_LIMIT')}, with bursts of the same size (the operator may set another limit)`,
    '429',
  ],
  [
    'concurrent requests, on each node',
    `${counted(Number(fallbackOf('IN_FLIGHT_MAX')))} (the operator may set another limit)`,
    '503',
  ],
  [
    'total size of bodies being received, on each node',
    `${bodiesHeldMaxBytes / 1024 / 1024} MiB; bodies of up to 16 KiB are always accepted`,
    '503',
  ],
  [
    'lifetime of an access token',
    `${fallbackOf('TOKEN_TTL_S')} s (the operator may set another; see \`expires_in\`)`,
    '401',
  ],
  [
    'wrong CheckValues from one address, on each node',
    `${failuresMax} in a burst, then one every ${failureForgottenAfterMs / 1000} s`,
    '429 from the token endpoint',
  ],
  [
    'wrong CheckValues for one ClientId from addresses where it has never had a token, on each node',
    `${nameFailuresMax} in a burst, then one every ${nameFailureForgottenAfterMs / 1000} s`,
    '429 from the token endpoint',
  ],
  ['retention of trace ids', `${fallbackOf('REQUEST_LOG_DAYS')} days (the operator may set another)`, ''],
  [
    'retention of documents of a UAT account',
    `${fallbackOf('UAT_RETENTION_DAYS')} days (the operator may set another)`,
    'purged',
  ],
  ['units in one lot', counted(lotUnitsMax), '400'],
];

const searchLimits: Row[] = [
  ['limit', 'value'],
  ['`page_size`', `1-${pageSizeMax}, default ${pageSizeDefault}`],
  ['values in an "any of" filter', `1-${anyOfMax}`],
  ['length of a cursor', counted(cursorLengthMax)],
  ['`event_ids` in `callbacks/redeliver`', `1-${counted(eventIdsMax)}`],
  ['callbacks redelivered by one `callbacks/redeliver`', counted(redeliverMax)],
  ['test callbacks of an account per minute', counted(testsPerMinuteMax)],
];

const callbackLimits: Row[] = [
  ['limit', 'value'],
  ['time for your response', `${deliveryRules.attemptSeconds} s`],
  ['attempts', String(deliveryRules.retryDelaysSeconds.length + 1)],
  [
    'delays between attempts',
    `${deliveryRules.retryDelaysSeconds.map(formatSeconds).join(', ')}, each up to ${deliveryRules.jitter * 100} % longer`,
  ],
  ['longest `Retry-After` that is respected', formatSeconds(deliveryRules.retryAfterMaxSeconds)],
  ['concurrent callbacks to one healthy receiver', String(deliveryRules.healthyAtOnce)],
  ['longest pause for a receiver that keeps failing', formatSeconds(deliveryRules.openMaxSeconds)],
  ['final failure after', `${giveUpAfterHours} h`],
];

/** The limits of the fields of each body, as described in the schema. */
function fieldLimits({ endpoints }: ContractReference): Row[] {
  const bodies = endpoints.filter(
    ({ body, path }) => body && !path.endsWith('/searchList') && !path.endsWith('/redeliver'),
  );
  const rows = bodies.flatMap(({ path, body }) =>
    limitsIn(body!.schema, '').map(([field, limit]) => ({ path: shortOf(path), field, limit })),
  );
  const places = Map.groupBy(rows, ({ field, limit }) => `\`${field}\`\n${limit}`);
  return [
    ['field', 'limit', 'endpoints'],
    ...[...places].map(([key, same]) => [...key.split('\n'), same.map(({ path }) => `\`${path}\``).join(', ')]),
  ];
}

function shortOf(path: string): string {
  return path.replace(/^\/(api\/v\d\/(default\/)?)?/, '');
}

interface SchemaNode {
  type?: string;
  description?: string;
  anyOf?: TSchema[];
  items?: TSchema;
  enum?: unknown[];
  properties?: Record<string, TSchema>;
  minItems?: number;
  maxItems?: number;
  'x-max-items-in-all'?: number;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

function limitsIn(schema: TSchema, path: string): [field: string, limit: string][] {
  const { type, description, anyOf, items, enum: values, properties = {}, ...bounds } = schema as SchemaNode;
  const { minItems = 0, maxItems, 'x-max-items-in-all': maxInAll, minimum, maximum, maxLength } = bounds;
  if (anyOf) return limitsIn(anyOf[0]!, path);
  if (items) {
    const inAll = maxInAll === undefined ? '' : `, at most ${counted(maxInAll)} per document`;
    return [[path, `${minItems}-${counted(maxItems!)} entries${inAll}`], ...limitsIn(items, `${path}[]`)];
  }
  if (type === 'object' && Object.keys(properties).length > 0) {
    return Object.entries(properties).flatMap(([name, part]) => limitsIn(part, path === '' ? name : `${path}.${name}`));
  }
  if (description === undefined) return values ? [[path, values.map((value) => `\`${value}\``).join(', ')]] : [];
  const range =
    type === 'integer'
      ? `, ${counted(minimum!)}-${counted(maximum!)}`
      : type === 'number'
        ? `, up to ${counted(maximum!)}`
        : '';
  const length = maxLength === undefined ? '' : `, at most ${counted(maxLength)} characters`;
  return [[path, `${description}${range}${length}`]];
}

function formatSeconds(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function counted(value: number): string {
  return value.toLocaleString('en');
}

function tableOf([head, ...rows]: Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`;
  return [line(head!), `|${'---|'.repeat(head!.length)}`, ...rows.map(line)].join('\n');
}
