import type { ImportedDocument, ImportMistake } from '../../../contract/console/imports.ts';

/** The server sees one block at a time, so codes that two products of different blocks have are found here. */
export function findCodeClashes(documents: ImportedDocument[]): ImportedDocument[] {
  const owners = new Map<string, ImportedDocument>();
  return documents.map((document) => {
    const mistakes = (document.change?.codes ?? []).flatMap(({ code }): ImportMistake[] => {
      const owner = owners.get(code);
      if (owner === undefined) owners.set(code, document);
      if (owner === undefined || owner.name === document.name) return [];
      const problem = { code: 'import_code_twice', params: { code, line: owner.rows[0]! } };
      return [{ row: document.rows[0]!, column: null, problem }];
    });
    return mistakes.length === 0 ? document : withMistakes(document, mistakes);
  });
}

function withMistakes(document: ImportedDocument, mistakes: ImportMistake[]): ImportedDocument {
  return { ...document, outcome: 'refused', mistakes: [...document.mistakes, ...mistakes] };
}
