import type { TSchema } from 'typebox';
import { logisticsReference } from '../../contract/logistics/reference.ts';
import { eventIdsMax, redeliverMax } from '../../contract/main/callbacks-redeliver.ts';
import { mainReference } from '../../contract/main/reference.ts';
import { anyOfMax, cursorLengthMax, pageSizeDefault, pageSizeMax } from '../../contract/main/search-list.ts';
import type { ContractReference } from '../../contract/reference.ts';
import { warehouseReference } from '../../contract/warehouse/reference.ts';
import { bodiesHeldMaxBytes } from '../../server/api/bodies-held.ts';
import { anonymousBodyMaxBytes, bodyMaxBytes } from '../../server/api/contract.ts';
import { headersDeadlineSeconds, requestDeadlineSeconds } from '../../server/api/shell.ts';
import { skewMaxSeconds } from '../../server/api/warehouse/signature.ts';
import { settings } from '../../server/config.ts';
import { giveUpAfterHours } from '../../server/domain/callbacks/owed-callback-queries.ts';
import { deliveryRules } from '../../server/domain/callbacks/retry-schedule.ts';
import { lotUnitsMax } from '../../server/domain/stock/lot.ts';
import {
  failureForgottenAfterMs,
  failuresMax,
  nameFailureForgottenAfterMs,
  nameFailuresMax,
} from '../../server/platform/guess-throttle.ts';
import { depthMax, keysMax, valuesMax } from '../../server/platform/strict-json.ts';
import { drawBetweenMarks } from './draw-between-marks.ts';

/** docs/limits.md: each table from where its numbers are kept to. */
export function drawLimits(text: string): string {
  const tables = {
    requests: requestLimits,
    searching: searchLimits,
    callbacks: callbackLimits,
    'warehouse fields': fieldLimits(warehouseReference),
    'main fields': fieldLimits(mainReference),
    'logistics fields': fieldLimits(logisticsReference),
  };
  return Object.entries(tables).reduce((drawn, [name, rows]) => drawBetweenMarks(drawn, name, tableOf(rows)), text);
}

type Row = string[];

const fallbackOf = (name: string) => settings.find((setting) => setting.name === name)!.fallback;

const requestLimits: Row[] = [
  ['limit', 'value', 'beyond it'],
  ['size of a body', `${bodyMaxBytes / 1024 / 1024} MiB`, '413, and the connection is closed'],
  ['size of a body of the token call', `${anonymousBodyMaxBytes / 1024} KiB`, '413, and the connection is closed'],
  ['size of all headers together', '16 KiB', '431'],
  ['time for the headers to arrive', `${headersDeadlineSeconds} s`, '408'],
  ['time for the whole request to arrive', `${requestDeadlineSeconds} s`, '408'],
  ['depth of JSON', `${depthMax} levels`, '400'],
  ['fields, list entries, objects and lists in one body, together', counted(valuesMax), '400'],
  ['keys of large JSON objects (of more than 24), together', counted(keysMax), '400'],
  ['clock of a signed request', `${skewMaxSeconds} s off, either way`, '401'],
  [
    'requests per second and account, on each node',
    `${fallbackOf('RATE_LIMIT')}, in bursts of as many (the operator may set another)`,
    '429',
  ],
  ['requests in work at once, on each node', `${counted(Number(fallbackOf('IN_FLIGHT_MAX')))} (the operator may set another)`, '503'],
  [
    'size of all bodies that are being received, on each node',
    `${bodiesHeldMaxBytes / 1024 / 1024} MiB; bodies of up to 16 KiB are always received`,
    '503',
  ],
  ['life of an access token', `${fallbackOf('TOKEN_TTL_S')} s (the operator may set another; \`expires_in\` says)`, '401'],
  [
    'wrong CheckValues from one address, on each node',
    `${failuresMax} at once, then one every ${failureForgottenAfterMs / 1000} s`,
    '429 of the token call',
  ],
  [
    'wrong CheckValues for one ClientId from addresses where it has never had a token, on each node',
    `${nameFailuresMax} at once, then one every ${nameFailureForgottenAfterMs / 1000} s`,
    '429 of the token call',
  ],
  ['how long a trace id can be asked about', `${fallbackOf('REQUEST_LOG_DAYS')} days (the operator may set another)`, ''],
  ['how long documents of a UAT account are kept', `${fallbackOf('UAT_RETENTION_DAYS')} days (the operator may set another)`, 'purged'],
  ['units in one lot', counted(lotUnitsMax), '400'],
];

const searchLimits: Row[] = [
  ['limit', 'value'],
  ['`page_size`', `1-${pageSizeMax}, ${pageSizeDefault} where it is left out`],
  ['values in an "any of" filter', `1-${anyOfMax}`],
  ['length of a cursor', counted(cursorLengthMax)],
  ['`event_ids` in `callbacks/redeliver`', `1-${counted(eventIdsMax)}`],
  ['callbacks that one `callbacks/redeliver` sends again', counted(redeliverMax)],
];

const callbackLimits: Row[] = [
  ['limit', 'value'],
  ['time for you to answer', `${deliveryRules.attemptSeconds} s`],
  ['tries', String(deliveryRules.retryDelaysSeconds.length + 1)],
  [
    'waits between them',
    `${deliveryRules.retryDelaysSeconds.map(wordSeconds).join(', ')}, each up to ${deliveryRules.jitter * 100} % longer`,
  ],
  ['longest `Retry-After` that is heeded', wordSeconds(deliveryRules.retryAfterMaxSeconds)],
  ['callbacks at a time for one receiver that is well', String(deliveryRules.healthyAtOnce)],
  ['longest pause for a receiver that keeps failing', wordSeconds(deliveryRules.openMaxSeconds)],
  ['given up after', `${giveUpAfterHours} h`],
];

/** What a body may hold, by the words with which a mistake is told. */
function fieldLimits({ endpoints }: ContractReference): Row[] {
  const bodies = endpoints.filter(({ body, path }) => body && !path.endsWith('/searchList') && !path.endsWith('/redeliver'));
  const rows = bodies.flatMap(({ path, body }) =>
    limitsIn(body!.schema, '').map(([field, limit]) => ({ path: shortOf(path), field, limit })),
  );
  const places = Map.groupBy(rows, ({ field, limit }) => `\`${field}\`\n${limit}`);
  return [
    ['field', 'limit', 'of'],
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
    const inAll = maxInAll === undefined ? '' : `, at most ${counted(maxInAll)} in the whole document`;
    return [[path, `${minItems}-${counted(maxItems!)} entries${inAll}`], ...limitsIn(items, `${path}[]`)];
  }
  if (type === 'object' && Object.keys(properties).length > 0) {
    return Object.entries(properties).flatMap(([name, part]) => limitsIn(part, path === '' ? name : `${path}.${name}`));
  }
  if (description === undefined) return values ? [[path, values.map((value) => `\`${value}\``).join(', ')]] : [];
  const range =
    type === 'integer' ? `, ${counted(minimum!)}-${counted(maximum!)}` : type === 'number' ? `, up to ${counted(maximum!)}` : '';
  const length = maxLength === undefined ? '' : `, at most ${counted(maxLength)} characters`;
  return [[path, `${description}${range}${length}`]];
}

function wordSeconds(seconds: number): string {
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
