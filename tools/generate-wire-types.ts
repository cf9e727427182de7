import { clientTypes, knownTexts } from '../reference/client-types.ts';
import { makeTypeDeclarations } from '../reference/typescript.ts';

/** Generates the types of the SDK, so that it depends neither on the contract nor on its schema library. */
export function generateWireTypes(): string {
  return `// Generated from contract/ by npm run generate: the types of all requests and responses.\n\n${makeTypeDeclarations(clientTypes, knownTexts)}`;
}
