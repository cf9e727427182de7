import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultAccount, provisioningFile } from '../faults/child-process.ts';

export type BenchAccount = typeof faultAccount;

/** The account of all other benchmarks is the first one; they differ in their numbers only. */
export function benchAccount(index: number): BenchAccount {
  return index === 0 ? faultAccount : { ...faultAccount, accountNo: `BENCH-${index}` };
}

/** Adds accounts to the provisioning file, so that there are `count`. */
export function provisionAccounts(dataDir: string, count: number): void {
  const file = join(dataDir, provisioningFile);
  const provisioning = JSON.parse(readFileSync(file, 'utf8'));
  const [first] = provisioning.accounts;
  for (let index = 1; index < count; index++)
    provisioning.accounts.push({ ...first, account_no: benchAccount(index).accountNo });
  writeFileSync(file, JSON.stringify(provisioning));
}
