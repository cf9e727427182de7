import { readFileSync } from 'node:fs';
import { replaceBetweenMarks } from './generate-between-marks.ts';

/** The receivers in docs/callbacks.md are the files of clients/, which the service also serves. */
export function generateReceivers(text: string): string {
  return replaceBetweenMarks(text, 'receivers', receivers.map(formatReceiver).join('\n\n'));
}

interface Receiver {
  title: string;
  fence: string;
  folder: string;
  file: string;
  run: string;
}

const files = 'http://127.0.0.1:8080/docs/clients';
const receivers: Receiver[] = [
  {
    title: 'Python',
    fence: 'python',
    folder: 'python',
    file: 'receiver.py',
    run: `\`curl -fsSO ${files}/lading.py\`, then \`python3 receiver.py\`, Python 3.9 or newer.`,
  },
  {
    title: 'PHP',
    fence: 'php',
    folder: 'php',
    file: 'receiver.php',
    run: `\`curl -fsSO ${files}/lading.php\`, then, to try it, \`php -S 127.0.0.1:9090 receiver.php\`.`,
  },
  {
    title: 'Java',
    fence: 'java',
    folder: 'java',
    file: 'Receiver.java',
    run: '`java Receiver.java`, Java 11 or newer.',
  },
  {
    title: 'C#',
    fence: 'csharp',
    folder: 'csharp',
    file: 'Receiver.cs',
    run: 'in place of `Program.cs` after `dotnet new console`: `dotnet run`. With Mono: `mcs Receiver.cs && mono Receiver.exe`.',
  },
  { title: 'Go', fence: 'go', folder: 'go', file: 'receiver.go', run: '`go run receiver.go`.' },
];

function formatReceiver({ title, fence, folder, file, run }: Receiver): string {
  const source = readFileSync(new URL(`../clients/${folder}/${file}`, import.meta.url), 'utf8').trimEnd();
  return `### ${title}\n\nSave as \`${file}\`. Run: ${run}\n\n\`\`\`${fence} ${file}\n${source}\n\`\`\``;
}
