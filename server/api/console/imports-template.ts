import { Readable } from 'node:stream';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import { importsTemplate } from '../../../contract/console/imports.ts';
import { importColumns, importTemplateTexts } from '../../../messages/import-columns.ts';
import { roleSuffices } from '../../domain/operators/operator.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import type { Clock } from '../../platform/clock.ts';
import { csvByteOrderMark, csvLine } from '../../platform/csv.ts';
import { type Cell, type SheetColumn, writeWorkbook } from '../../platform/xlsx.ts';
import { type ConsoleCaller, refuseBeforeEnrolment, roleMissing } from './console-contract.ts';
import { fileTypes } from './file-types.ts';

/** `POST /console/api/imports/template`: a file with the columns of an import, two example rows and an explanation. */
export function importTemplateEndpoint(clock: Clock): Endpoint<ConsoleCaller> {
  return endpoint({
    path: importsTemplate.path,
    body: importsTemplate.body,
    admit({ session }: ConsoleCaller) {
      refuseBeforeEnrolment(session);
      if (!roleSuffices(session.role, 'staff')) throw roleMissing('staff', session);
    },
    async handle(_caller, body) {
      const headers = {
        'content-type': fileTypes[body.format],
        'content-disposition': `attachment; filename="${body.kind}-template.${body.format}"`,
      };
      return { body: body.format === 'csv' ? csvTemplate(body) : xlsxTemplate(body, clock.now()), headers };
    },
  });
}

type Body = BodyOf<typeof importsTemplate>;

/** The texts of the template in one language. */
function textsOf({ kind, language }: Body) {
  const index = language === 'en' ? 0 : 1;
  const columns = importColumns[kind];
  const say = (name: keyof typeof importTemplateTexts) => importTemplateTexts[name][index];
  return {
    say,
    titles: columns.map(({ title }) => title[index]),
    examples: [0, 1].map((row) => columns.map(({ examples }) => examples[row]!)),
    explanation: columns.map(({ title, isRequired, meaning }) => [
      title[index],
      say(isRequired ? 'yes' : 'no'),
      meaning[index],
    ]),
  };
}

/** All cells are texts: a spreadsheet keeps their leading zeros. */
function xlsxTemplate(body: Body, at: Date): Readable {
  const { say, titles, examples, explanation } = textsOf(body);
  const asTexts = (names: string[]): SheetColumn[] => names.map((title) => ({ title, kind: 'text' }));
  async function* pages(): AsyncGenerator<Cell[][]> {
    yield examples;
  }
  return writeWorkbook({
    name: say(body.kind),
    columns: asTexts(titles),
    pages: pages(),
    at,
    explanation: {
      name: say('explanation'),
      columns: asTexts([say('column'), say('required'), say('meaning')]),
      rows: [...explanation, [say('deleteExamples'), null, null]],
    },
  });
}

function csvTemplate(body: Body): Readable {
  const { say, titles, examples, explanation } = textsOf(body);
  const remarks = explanation.map(([title, , meaning]) => `# ${title}: ${meaning}`);
  const lines = [titles, ...examples, ...[`# ${say('deleteExamples')}`, ...remarks].map((remark) => [remark])];
  return Readable.from([csvByteOrderMark + lines.map(csvLine).join('')], { objectMode: false });
}
