export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplers)[number];

/** The settings of tracing, named as OpenTelemetry names them. */
export interface TracingSettings {
  /** null: tracing is off. */
  otlpEndpoint: string | null;
  otlpHeaders: Record<string, string>;
  serviceName: string;
  resourceAttributes: Record<string, string>;
  tracesSampler: SamplerName;
  tracesSamplerRatio: number;
}

/** The base URL of a receiver, to which `/v1/traces` is added. */
export function parseOtlpEndpoint(given: string): string | undefined {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return undefined;
  return url.href.replace(/\/+$/, '');
}

/** `name=value,name=value`, with escapes as in a URL; as OpenTelemetry writes headers and attributes. */
export function parsePairs(given: string): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const item of given.split(',')) {
    const [, name, value] = /^\s*([\w.!#$%&'*+^`|~-]+)\s*=\s*(.*?)\s*$/.exec(item) ?? [];
    const decoded = value === undefined ? undefined : decode(value);
    if (name === undefined || decoded === undefined) return undefined;
    pairs[name] = decoded;
  }
  return pairs;
}

/** Node refuses control characters in a header, and would do so only when the first spans are sent. */
function decode(value: string): string | undefined {
  try {
    const text = decodeURIComponent(value);
    return /^[ -~\u0080-\u00ff]*$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

export function parseRatio(given: string): number | undefined {
  return /^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(given) ? Number(given) : undefined;
}
