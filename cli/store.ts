import { given, partnerCommand } from './partner-command.ts';

export function storeCommandGroup() {
  return partnerCommand({
    word: 'store',
    kind: 'store',
    names: ['store_no'],
    ownName: ([storeNo]) => storeNo!,
    document: ([storeNo], { name, type }) => ({ stores: [given({ store_no: Number(storeNo), name, type })] }),
    createOptions: (command) =>
      command.option('--name <name>').option('--type <type>', 'kind of store (default: upload)'),
    canBeDisabled: false,
  });
}
