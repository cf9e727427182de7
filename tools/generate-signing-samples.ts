import { signedCallSamples } from '../reference/warehouse/signing.ts';
import { replaceBetweenMarks } from './generate-between-marks.ts';

/** Generates the samples of docs/signing.md, which are the same as in the reference. */
export function generateSigningSamples(text: string): string {
  return replaceBetweenMarks(text, 'samples', signedCallSamples(sampleUrl, sampleBody).map(formatSample).join('\n\n'));
}

/** The URL of a first start on this machine. */
export const sampleUrl = 'http://127.0.0.1:8080/warehouse/v1/product/sync';
export const sampleBody = { sku_id: 'TEA-1', sku_name: 'Oolong tea', storage_type: 1 };

/** The name of the file and the command that runs it. */
const usage: Record<string, { fence: string; file: string; run: string }> = {
  curl: { fence: 'sh', file: 'signed-call.sh', run: '`sh signed-call.sh`; it needs `openssl` and `curl`.' },
  TypeScript: {
    fence: 'ts',
    file: 'signed-call.mts',
    run: '`node signed-call.mts` with Node.js 22.18 or newer. It has no types of its own: with Node.js 20, call it `signed-call.mjs`.',
  },
  Python: { fence: 'python', file: 'signed-call.py', run: '`python3 signed-call.py`.' },
  PHP: { fence: 'php', file: 'signed-call.php', run: '`php signed-call.php`.' },
  Java: { fence: 'java', file: 'SignedCall.java', run: '`java SignedCall.java`, Java 17 or newer.' },
  'C#': {
    fence: 'csharp',
    file: 'SignedCall.cs',
    run: 'in place of `Program.cs` after `dotnet new console`: `dotnet run`. With Mono: `mcs -r:System.Net.Http.dll SignedCall.cs && mono SignedCall.exe`.',
  },
  Go: { fence: 'go', file: 'signed-call.go', run: '`go run signed-call.go`.' },
};

function formatSample({ label, source }: { label: string; source: string }): string {
  const { fence, file, run } = usage[label]!;
  return `### ${label}\n\nSave as \`${file}\`. Run: ${run}\n\n\`\`\`${fence} ${file}\n${source}\n\`\`\``;
}
