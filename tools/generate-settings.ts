import { settings } from '../server/settings.ts';
import { replaceBetweenMarks } from './generate-between-marks.ts';

/** Generates the table of settings in docs/operating.md from the configuration. */
export function generateSettings(text: string): string {
  const rows = settings.map((setting) => {
    const names = 'secret' in setting ? `\`${setting.name}\` or \`${setting.name}_FILE\`` : `\`${setting.name}\``;
    return `| ${names} | \`${setting.fallback}\` | ${setting.meaning} |`;
  });
  return replaceBetweenMarks(
    text,
    'settings',
    ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n'),
  );
}
