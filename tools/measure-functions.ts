import { parseSync } from 'vite';

export interface MeasuredFunction {
  /** The name of the function, or of the variable, property or call that it belongs to. */
  name: string;
  /** The number of lines, including the first and the last. */
  lines: number;
  /** False for an arrow function that is one expression, such as most callbacks of `map`. */
  hasBlock: boolean;
}

export interface MeasuredSource {
  functions: MeasuredFunction[];
  /** Specifiers of static and dynamic imports and re-exports; imports of types are included. */
  imports: string[];
}

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const functionTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const importTypes = [
  ...['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'],
  ...['ImportExpression', 'TSImportType'],
];

/** Uses Vite's parser, because TypeScript 7 offers its own only under `typescript/unstable`. */
export function measureSource(path: string, text: string): MeasuredSource {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const measured: MeasuredSource = { functions: [], imports: [] };
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const lineOf = (offset: number) => lineStarts.findLastIndex((start) => start <= offset);

  visit(program as unknown as SyntaxNode, []);
  return measured;

  function visit(node: SyntaxNode, parents: SyntaxNode[]): void {
    if (functionTypes.includes(node.type) && node.body) {
      measured.functions.push({
        name: nameOf(node, parents),
        lines: lineOf(node.end) - lineOf(node.start) + 1,
        hasBlock: (node.body as SyntaxNode).type === 'BlockStatement',
      });
    }
    const source = importTypes.includes(node.type) ? (node.source as SyntaxNode | null) : null;
    if (typeof source?.value === 'string') measured.imports.push(source.value);
    for (const child of childrenOf(node)) visit(child, [node, ...parents]);
  }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node)
    .flat()
    .filter((value): value is SyntaxNode => typeof (value as SyntaxNode | null)?.type === 'string');
}

function nameOf(node: SyntaxNode, [parent, ...others]: SyntaxNode[]): string {
  const identifier = (node.id ?? parent?.id ?? parent?.key) as SyntaxNode | null | undefined;
  if (identifier?.name !== undefined) return String(identifier.name);
  if (parent?.type === 'CallExpression') return nameOfCall(parent);
  return parent === undefined ? 'anonymous' : nameOf(parent, others);
}

/** A test is named after its title, and any other callback after the function that it is passed to. */
function nameOfCall({ callee, arguments: given }: SyntaxNode): string {
  const { name, property } = callee as SyntaxNode;
  const called = String(name ?? (property as SyntaxNode | undefined)?.name ?? 'anonymous');
  const [first] = given as SyntaxNode[];
  return typeof first?.value === 'string' ? `${called} '${first.value}'` : `callback of ${called}`;
}
