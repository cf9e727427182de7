import { spawnSync } from 'node:child_process';

/** Why a test that needs promtool is skipped; false if it is installed (Debian: prometheus). */
export const promtoolMissing: string | false =
  spawnSync('promtool', ['--version']).status === 0
    ? false
    : 'promtool is not installed (Debian: apt-get install prometheus)';
