import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { ladingProgram } from '../cli/lading.ts';
import type { CommandResult } from '../test/support/command.ts';
import { anyFragment, type Fragment, hostileFragments } from './hostile-values.ts';
import type { Random } from './random.ts';

/** Invalid and unusual command lines and provisioning files, chosen by a seed. */
export interface HostileCommands {
  /** `lading apply FILE`, with a file that is nearly right. */
  apply(): string[];
  /** Any command that terminates, with its own options and hostile values. */
  command(): string[];
}

/** These run until they are stopped, or for half a minute. */
const endless = ['serve', 'demo', 'callbacks listen'];
const ownFragments = 500;

export async function makeHostileCommands(random: Random, seed: number, folder: string): Promise<HostileCommands> {
  const fragments = [...hostileFragments, ...fc.sample(anyFragment, { numRuns: ownFragments, seed })];
  const texts = fragments.flatMap(argumentOf);
  const leaves = leavesOf(await ladingProgram([])).filter(({ path }) => !endless.includes(path.join(' ')));
  let files = 0;

  function fileWith(content: Fragment): string {
    const path = join(folder, `hostile-${files++ % 100}`);
    writeFileSync(path, content);
    return path;
  }

  function valueFor(name: string): string {
    if (random.oneIn(2)) return random.anyOf(texts);
    if (/file/.test(name))
      return fileWith(random.oneIn(2) ? random.anyOf(fragments) : random.anyOf(['a secret of one line', 'one\ntwo']));
    return random.anyOf(plausible[name.replace(/[^a-z]/g, '')] ?? plausible.any!);
  }

  function optionsOf({ options }: Command): string[] {
    return options.flatMap((option) => {
      if (!option.mandatory && !random.oneIn(3)) return [];
      if (!option.required && !option.optional) return [option.long!];
      const name = /<([^>.]+)/.exec(option.flags)?.[1] ?? 'any';
      return [option.long!, option.argChoices && !random.oneIn(4) ? random.anyOf(option.argChoices) : valueFor(name)];
    });
  }

  return {
    apply: () => ['apply', fileWith(hostileFile(random, fragments))],
    command() {
      const { path, command } = random.anyOf(leaves);
      const given = command.registeredArguments.flatMap((argument) =>
        argument.required || random.oneIn(2) ? [valueFor(argument.name())] : [],
      );
      const end = random.oneIn(3) ? ['--'] : [];
      return random.oneIn(2)
        ? [...path, ...optionsOf(command), ...end, ...given]
        : [...path, ...given, ...optionsOf(command)];
    },
  };
}

/** Why the result of a command is not acceptable; null: it is. */
export function faultOf(args: string[], { code, stdout, stderr }: CommandResult): string | null {
  const mayFailToConnect = args[0] === 'call' && /^lading: no response from /m.test(stderr);
  if (/unexpected failure|^\s+at .*\(.*:\d+:\d+\)$/m.test(stderr)) return `it says ${stderr}`;
  if (code !== 0 && code !== 1 && code !== 2 && !mayFailToConnect) return `it ends with ${code}: ${stderr}`;
  if (code !== 0 && stderr === '' && stdout === '') return `it ends with ${code} and says nothing`;
  return null;
}

interface Leaf {
  path: string[];
  command: Command;
}

function leavesOf(command: Command, path: string[] = []): Leaf[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((below) => leavesOf(below, [...path, below.name()]));
}

/** Arguments cannot contain NUL or lone surrogates, and `-` would read the standard input of this process. */
function argumentOf(fragment: Fragment): string[] {
  const text = fragment.toString();
  const plain = /^".*"$/s.test(text) ? (parsed(text) ?? text.slice(1, -1)) : text;
  return [plain.toWellFormed().replaceAll('\0', '').slice(0, 20_000)].filter((argument) => argument !== '-');
}

function parsed(text: string): string | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const anyTexts = ['ALPHA', 'TPW-A', '1', '10', '0', '7', '2147483647', '2147483648', '9999999999', 'x'];
const plausible: Record<string, string[]> = {
  any: anyTexts,
  accountno: ['ALPHA', 'BETA', 'NOBODY', 'NEW'],
  warehouseno: ['1', '2', '0', '2147483648', '9999999999'],
  storeno: ['10', '11', '2147483648'],
  time: ['2026-11-15T09:00:00+08:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '90s', '7d', '999999d', '0'],
  day: ['2027-06-30', '0000-01-01', '9999-12-31'],
  days: ['0', '36500', '99999'],
  seconds: ['1', '1700000000', '9999999999'],
  count: ['1', '10000', '9007199254740993'],
  limit: ['1', '500'],
  units: ['+3', '-3', '+9999999999999'],
  percent: ['0', '100', '101', '9999999999'],
  url: ['http://127.0.0.1:9', 'http://[::1', 'https://w.example/', 'http://user:password@w.example/'],
  path: [
    '/health/live',
    '/warehouse/v1/product/sync',
    '/api/v2/default/orders/create',
    '/logistics/orders/order',
    '//',
    '/\\',
  ],
  body: ['{}', '[', '@/nowhere'],
  traceid: ['019a0000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff'],
  eventid: ['019a0000-0000-7000-8000-000000000000'],
  permission: ['orders.read'],
};

function soundFile(random: Random): Record<string, unknown> {
  const place = { warehouse_no: random.upTo(4), store_no: random.upTo(4) };
  const account_no = `P-${random.upTo(4)}`;
  const secret = 'a-secret-of-thirty-two-characters-or-more';
  return {
    warehouses: [
      {
        warehouse_no: place.warehouse_no,
        name: 'Taoyuan',
        connector: { type: 'http', url: 'https://w.example/', secret },
      },
      {
        warehouse_no: 100 + random.upTo(4),
        connector: { type: 'simulator', step_s: 5, short_pick_percent: 1, delay_percent: 1 },
        transfer_every_s: 60,
      },
    ],
    stores: [{ store_no: place.store_no, name: 'Upload', type: 'upload' }],
    accounts: [
      {
        ...{
          account_no,
          name: 'Partner',
          environment: 'uat',
          secret,
          warehouse_api: true,
          enabled: true,
        },
        tenants: [
          {
            warehouse_tpw_id: 'T',
            ...place,
            receiving: 'on_create',
            sellable_days_before_expiry: null,
            over_delivery_percent: 0,
          },
        ],
      },
    ],
    clients: [{ client_id: account_no, check_value: secret, account_no, permissions: ['orders.read'], enabled: true }],
    logistics_keys: [
      {
        ...{
          name: 'wms',
          key: `key-of-${account_no}-of-thirty-two-characters-or-more`,
          account_no,
          ...place,
          receiving: 'on_confirm',
          over_delivery_percent: 10,
        },
        callback_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      },
    ],
    // Rarely, because hashing a password takes longer than everything else.
    ...(random.oneIn(10)
      ? { operators: [{ username: 'boss', password: 'a phrase for boss only', role: 'admin', enabled: true }] }
      : {}),
  };
}

const hole = '@@hole@@';

function hostileFile(random: Random, fragments: Fragment[]): Fragment {
  const file = soundFile(random);
  switch (random.upTo(10)) {
    case 1:
      return random.anyOf(fragments);
    case 2:
    case 3:
      return withOtherCharacters(random.oneIn(2) ? stringify(file) : JSON.stringify(file, null, 2), random);
    case 4: {
      const { holder, step } = random.anyOf(placesIn(file));
      delete holder[step as never];
      return stringify(file);
    }
    case 5: {
      const [one, other] = [random.anyOf(placesIn(file)), random.anyOf(placesIn(file))];
      one.holder[one.step] = other.holder[other.step];
      // A circular reference cannot be written as JSON.
      return JSON.stringify(withoutCircles(file));
    }
    case 6: {
      const { holder } = random.anyOf(placesIn(file));
      holder[hole] = 1;
      return filled(JSON.stringify(file), random.anyOf(fragments));
    }
    default: {
      const { holder, step } = random.anyOf(placesIn(file));
      holder[step] = hole;
      return filled(JSON.stringify(file, null, random.oneIn(2) ? 2 : 0), random.anyOf(fragments));
    }
  }
}

interface Place {
  holder: Record<string | number, unknown>;
  step: string | number;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Place['holder'];
  return Object.keys(holder).flatMap((step) => [{ holder, step }, ...placesIn(holder[step])]);
}

function withoutCircles(file: object): unknown {
  try {
    return structuredClone(JSON.parse(JSON.stringify(file)));
  } catch {
    return {};
  }
}

function filled(json: string, fragment: Fragment): Buffer {
  const [before = '', after = ''] = json.split(`"${hole}"`);
  return Buffer.concat([Buffer.from(before), Buffer.from(fragment), Buffer.from(after)]);
}

const characters = [...'{}[]:,"\'&*!|>%@`#?-\\ \n\t\u0000\ufeff\u0085\u2028茶<'];

function withOtherCharacters(text: string, random: Random): string {
  let altered = text;
  for (let count = random.upTo(4); count > 0; count--) {
    const at = random.upTo(altered.length);
    altered =
      altered.slice(0, at) + (random.oneIn(3) ? '' : random.anyOf(characters)) + altered.slice(at + random.upTo(3) - 1);
  }
  return altered;
}
