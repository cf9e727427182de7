import { clientTypes } from '../../contract/client-types.ts';
import { makeTypeDeclarations } from '../../contract/typescript.ts';

/** The types of the SDK, so that it needs neither the contract nor its library of schemas. */
export function drawWireTypes(): string {
  return `// Drawn from contract/ by npm run draw: what goes over the wire, field by field.\n\n${makeTypeDeclarations(clientTypes)}`;
}
