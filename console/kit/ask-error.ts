export type AskErrorKind =
  | 'network'
  | 'signed_out'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'throttled'
  | 'unavailable'
  | 'surprise';

export interface AskFailure {
  kind: AskErrorKind;
  message: string;
  status: number | null;
  traceId: string | null;
  mistakes: { path: string; message: string }[];
}

/** A request that failed unexpectedly. Expected outcomes are part of the response instead. */
export class AskError extends Error implements AskFailure {
  readonly kind: AskErrorKind;
  readonly status: number | null;
  readonly traceId: string | null;
  readonly mistakes: { path: string; message: string }[];

  constructor({ kind, message, status, traceId, mistakes }: AskFailure) {
    super(message);
    this.name = 'AskError';
    this.kind = kind;
    this.status = status;
    this.traceId = traceId;
    this.mistakes = mistakes;
  }
}

const kindOfStatus: Record<number, AskErrorKind> = {
  400: 'invalid',
  401: 'signed_out',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'invalid',
  422: 'invalid',
  429: 'throttled',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

export function askErrorOf(status: number, body: unknown): AskError {
  const error = (body as { error?: { message?: string; trace_id?: string; mistakes?: AskFailure['mistakes'] } } | null)
    ?.error;
  const kind = kindOfStatus[status] ?? 'surprise';
  return new AskError({
    kind,
    status,
    message: error?.message ?? '',
    traceId: error?.trace_id ?? null,
    mistakes: error?.mistakes ?? [],
  });
}
