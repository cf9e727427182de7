import { readFileSync } from 'node:fs';
import { mistakeIn, type WantedRole } from './platform/postgres/connection-target.ts';
import { type SettingName, settings } from './settings.ts';

export type Env = Record<string, string | undefined>;

const secretNames = new Set<string>(settings.filter((setting) => 'secret' in setting).map((setting) => setting.name));

/** Reads single settings and collects the errors. An empty value counts as not set. */
export class SettingsReader {
  readonly mistakes: string[];
  private readonly env: Env;

  constructor(env: Env) {
    this.env = env;
    this.mistakes = [];
  }

  isUnset(name: SettingName): boolean {
    return !this.env[name]?.trim() && !this.env[`${name}_FILE`]?.trim();
  }

  text(name: SettingName): string | null {
    const direct = this.env[name]?.trim() || null;
    const file = secretNames.has(name) ? this.env[`${name}_FILE`]?.trim() || null : null;
    if (!file) return direct;
    if (direct) this.mistakes.push(`${name} and ${name}_FILE are both set; set one of them`);
    try {
      return readFileSync(file, 'utf8').trim() || null;
    } catch (error) {
      this.mistakes.push(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
      return null;
    }
  }

  databaseUrl(name: SettingName, wanted: WantedRole = 'primary'): string | null {
    const given = this.text(name);
    const mistake = given === null ? null : mistakeIn(given, wanted);
    if (mistake === null) return given;
    this.mistakes.push(`${name} ${mistake}`);
    return null;
  }

  whole(name: SettingName, fallback: number, min: number, max: number): number {
    const given = this.text(name);
    if (given === null) return fallback;
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.mistakes.push(`${name} must be a whole number from ${min} to ${max}, not ${quote(given)}`);
    return fallback;
  }

  choice<T extends string>(name: SettingName, fallback: T, choices: readonly T[]): T {
    const given = this.text(name);
    if (given === null) return fallback;
    if ((choices as readonly string[]).includes(given)) return given as T;
    this.mistakes.push(`${name} must be one of ${choices.join(', ')}, not ${quote(given)}`);
    return fallback;
  }

  checked<T>(name: SettingName, fallback: T, parse: (given: string) => T | undefined, expectation: string): T {
    const given = this.text(name);
    if (given === null) return fallback;
    const value = parse(given);
    if (value !== undefined) return value;
    this.mistakes.push(`${name} must be ${expectation}${secretNames.has(name) ? '' : `, not ${quote(given)}`}`);
    return fallback;
  }
}

function quote(given: string): string {
  return JSON.stringify(given.length > 60 ? `${given.slice(0, 60)}…` : given);
}
