import type { LoadCommand, LoadReport, LoadSlice } from './load-generator.ts';

/** Runs in the load process: prepares as much as possible, then waits for the start command. */
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
