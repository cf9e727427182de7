/** A call as "warehouse /outbound/create" with the name of its API. */
export function callName(call: string, apis: Record<string, string>): string {
  const [api = '', ...rest] = call.split(' ');
  return [apis[api] ?? api, ...rest].join(' ');
}
