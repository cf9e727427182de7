import { settings } from '../server/settings.ts';

/** The image fixes these. */
const fixedInImage: readonly string[] = ['HOST', 'PORT', 'DATA_DIR'];

/** The settings that a value of the Helm chart may name: all except secrets, which come from Secrets of the cluster. */
export const chartSettings: string[] = settings
  .filter((setting) => !('secret' in setting) && !fixedInImage.includes(setting.name))
  .map(({ name }) => name);

/** Generates the names of settings in the schema of the chart's values. */
export function generateChartSettings(text: string): string {
  const lines = chartSettings.map((name) => `        "${name}": { "type": "string" }`).join(',\n');
  const [before, rest] = splitAfter(text, '"settings": {', '"properties": {\n');
  return `${before}${lines}${rest.slice(rest.indexOf('\n      }\n'))}`;
}

/** Splits a text after the second mark that follows the first one. */
function splitAfter(text: string, first: string, second: string): [string, string] {
  const start = text.indexOf(first);
  const end = text.indexOf(second, start) + second.length;
  if (start === -1 || end < start) throw new Error(`there is no ${second} after ${first}`);
  return [text.slice(0, end), text.slice(end)];
}
