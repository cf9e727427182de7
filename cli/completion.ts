import { Argument, type Command } from 'commander';
import { makeCommand } from './command-line.ts';
import { printResult } from './store-command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** `lading completion SHELL`: prints a script that completes commands, options and their values. */
export function completionCommand(): Command {
  return makeCommand('completion')
    .description('print a script that completes lading commands in your shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', installHelp)
    .action((shell: Shell, _options: object, command: Command) => {
      const script = scripts[shell](levelsOf(command.parent!));
      printResult({ json: { shell, script }, text: script }, command);
    });
}

const installHelp = `
Install it:
  bash   lading completion bash > ~/.local/share/bash-completion/completions/lading
  zsh    lading completion zsh > "\${fpath[1]}/_lading"
  fish   lading completion fish > ~/.config/fish/completions/lading.fish
`;

/** The words that may follow a command. */
interface Level {
  /** The command and its parents, without `lading`. */
  path: string[];
  words: { word: string; meaning: string }[];
  /** Values of options that have a fixed choice. */
  choices: { flag: string; values: readonly string[] }[];
}

function levelsOf(command: Command, path: string[] = []): Level[] {
  const commands = command.commands.map((one) => ({ word: one.name(), meaning: one.description() }));
  const options = command.options.map((option) => ({ word: option.long!, meaning: option.description }));
  const own = {
    path,
    words: [...commands, ...choicesOfArguments(command), ...options, { word: '--help', meaning: 'show help' }],
    choices: command.options.flatMap(({ long, argChoices }) =>
      argChoices ? [{ flag: long!, values: argChoices }] : [],
    ),
  };
  return [own, ...command.commands.flatMap((one) => levelsOf(one, [...path, one.name()]))];
}

function choicesOfArguments(command: Command): Level['words'] {
  return command.registeredArguments
    .flatMap(({ argChoices }) => argChoices ?? [])
    .map((word) => ({ word, meaning: command.description() }));
}

const scripts: Record<Shell, (levels: Level[]) => string> = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Finds the command among the words typed so far, in bash and zsh. It skips options and their values. */
function findCommand(levels: Level[]): string {
  const known = levels.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(' ')}"`);
  return `  local at="" word
  for word in "\${typed[@]}"; do
    case "\${at:+$at }$word" in
      ${known.join('|')}) at="\${at:+$at }$word" ;;
    esac
  done`;
}

function bashScript(levels: Level[]): string {
  const choices = levels.flatMap(({ path, choices: all }) =>
    all.map(({ flag, values }) => `    "${path.join(' ')} ${flag}") words="${values.join(' ')}" ;;`),
  );
  const words = levels.map(
    (level) => `    "${level.path.join(' ')}") words="${level.words.map(({ word }) => word).join(' ')}" ;;`,
  );
  return `# bash completion of lading
_lading() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  local typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${findCommand(levels)}
  case "$at $previous" in
${choices.join('\n')}
  esac
  [[ -n $words ]] || case "$at" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _lading lading
`;
}

function zshScript(levels: Level[]): string {
  const described = ({ word, meaning }: Level['words'][number]) => quoted(`${word}:${meaning.replaceAll(':', ' ')}`);
  const words = levels.map(
    (level) => `    "${level.path.join(' ')}") entries=(${level.words.map(described).join(' ')}) ;;`,
  );
  const choices = levels.flatMap(({ path, choices: all }) =>
    all.map(({ flag, values }) => `    "${path.join(' ')} ${flag}") compadd -- ${values.join(' ')}; return ;;`),
  );
  return `#compdef lading
_lading() {
  local -a entries typed
  typed=("\${(@)words[2,CURRENT-1]}")
${findCommand(levels)}
  case "$at \${words[CURRENT-1]}" in
${choices.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  _describe -t commands lading entries || _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _lading "$@"; else compdef _lading lading; fi
`;
}

function fishScript(levels: Level[]): string {
  const lines = levels.flatMap(({ path, words, choices }) => {
    const condition = quoted(`__lading_at ${path.join(' ')}`.trimEnd());
    const valuesOf = new Map(choices.map(({ flag, values }) => [flag, values]));
    return words.map(({ word, meaning }) => {
      const values = valuesOf.get(word);
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      const choice = values ? ` -x -a ${quoted(values.join(' '))}` : '';
      return `complete -c lading -n ${condition} ${what}${choice} -d ${quoted(meaning)}`;
    });
  });
  const paths = levels.filter(({ path }) => path.length > 0).map(({ path }) => quoted(path.join(' ')));
  return `# fish completion of lading
function __lading_at
  set -l known ${paths.join(' ')}
  set -l at
  for word in (commandline -opc)[2..]
    if contains -- (string join -- ' ' $at $word) $known
      set -a at $word
    end
  end
  test "$at" = "$argv"
end
${lines.join('\n')}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}
