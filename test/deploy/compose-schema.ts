import { type TSchema, Type } from 'typebox';

/** The fields of the Compose Specification that our files use. Unknown fields are errors, so that a misspelt one is found. */
const object = (optional: Record<string, TSchema>, required: Record<string, TSchema> = {}) =>
  Type.Object(
    { ...required, ...Object.fromEntries(Object.entries(optional).map(([name, of]) => [name, Type.Optional(of)])) },
    { additionalProperties: false },
  );
const text = Type.String({ minLength: 1 });
const texts = Type.Array(text, { minItems: 1 });
const map = (of: TSchema) => Type.Record(Type.String({ pattern: '^[a-zA-Z0-9_.-]+$' }), of);
const duration = Type.String({ pattern: '^[0-9]+(ms|s|m|h)$' });
const size = Type.String({ pattern: '^[0-9]+[kmg]$' });
const conditions = ['service_started', 'service_healthy', 'service_completed_successfully'];

const service = object(
  {
    build: object({}, { context: text, dockerfile: text }),
    command: texts,
    environment: map(Type.String()),
    secrets: texts,
    volumes: Type.Array(Type.String({ pattern: '^[^:]+.*:/[^:]+(:ro)?$' })),
    networks: Type.Union([texts, map(object({ ipv4_address: text }))]),
    ports: Type.Array(Type.String({ pattern: '^[0-9]+:[0-9]+$' })),
    hostname: text,
    shm_size: size,
    sysctls: map(text),
    read_only: Type.Boolean(),
    tmpfs: texts,
    cap_drop: Type.Tuple([Type.Literal('ALL')]),
    security_opt: Type.Tuple([Type.Literal('no-new-privileges:true')]),
    stop_grace_period: duration,
    restart: Type.Enum(['no', 'always', 'on-failure', 'unless-stopped']),
    logging: object({}, { driver: text, options: map(text) }),
    healthcheck: object({}, { test: texts, interval: duration, timeout: duration, retries: Type.Integer() }),
    depends_on: Type.Union([texts, map(object({}, { condition: Type.Enum(conditions) }))]),
  },
  { image: text },
);

export const composeSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]*$' }),
    services: map(service),
    networks: map(
      object({
        internal: Type.Boolean(),
        ipam: object({}, { config: Type.Array(object({}, { subnet: text })) }),
      }),
    ),
    volumes: map(object({})),
    secrets: map(object({}, { file: text })),
  },
  { additionalProperties: false },
);

export interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  networks: string[] | Record<string, { ipv4_address?: string }>;
  depends_on?: string[] | Record<string, unknown>;
  read_only?: boolean;
  cap_drop?: string[];
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, unknown>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
}
