import type { ConsoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { homeAttentionCall } from './home-attention.ts';
import { homeFlowCall } from './home-flow.ts';

/** What the home page shows. */
export function homeEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [homeAttentionCall(parts), homeFlowCall(parts)];
}
