import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../../server/config.ts';

export const folder = mkdtempSync(join(tmpdir(), 'config-test-'));
// Test files that share a process share this folder too, so it stays until the process ends.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export const key = (byte: number) => Buffer.alloc(32, byte);
export const masterKey = key(7);
export const formerKeys = `${key(8).toString('base64')}, ${key(9).toString('base64url')}`;
export const databaseUrl = 'postgres://lading:hunter2@db.example/lading';
export const ownerUrl = 'postgres://owner:hunter2@db.example/lading';
export const readUrl = 'postgres://lading:hunter2@standby.example/lading';

export function fileWith(text: string): string {
  const path = join(folder, `${Math.random()}`);
  writeFileSync(path, text);
  return path;
}

export function configOf(env: Record<string, string>): Config {
  const reading = readConfig(env);
  assert.equal(reading.kind, 'config', JSON.stringify(reading));
  return (reading as Extract<typeof reading, { kind: 'config' }>).config;
}

export function mistakesOf(env: Record<string, string>): string[] {
  const reading = readConfig(env);
  assert.equal(reading.kind, 'mistakes');
  return (reading as Extract<typeof reading, { kind: 'mistakes' }>).mistakes;
}
