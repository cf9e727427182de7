import { inboundStop } from '../../../contract/console/inbound-stop.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { inboundOfId, nameOf, noSuchInbound } from './inbound-named.ts';

export function inboundStopCall({ database, operations }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(inboundStop, {
    role: 'staff',
    audit: ({ inbound_id }) => ({ subject: `inbound ${inbound_id}` }),
    async handle(caller, { inbound_id }, request) {
      const document = await inboundOfId(database, inbound_id);
      const outcome = await operations.stopReceiving({ name: nameOf(document), cause: causeOf(caller, request) });
      if (outcome.kind === 'not_found') throw noSuchInbound();
      return outcome;
    },
  });
}
