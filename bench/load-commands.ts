import type { LoadCommand, LoadReport, LoadSlice } from './load-generator.ts';

/** In the process that makes the load: whatever can be done beforehand is, and then it waits for the word to begin. */
export function answerLoadCommands(prepare: (slice: LoadSlice) => Promise<() => Promise<LoadReport>>): void {
  let begin = (): Promise<LoadReport> => Promise.reject(new Error('nothing is prepared'));
  process.on('message', async (command: LoadCommand) => {
    switch (command.kind) {
      case 'prepare':
        begin = await prepare(command.slice);
        return process.send!('prepared');
      case 'begin':
        return process.send!(await begin());
      default:
        return command satisfies never;
    }
  });
}
