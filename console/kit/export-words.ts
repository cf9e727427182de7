import { defineWords } from './define-words.ts';

/** Texts of exports. */
export const exportWords = defineWords({
  en: {
    export: 'Export',
    exports: 'Exports',
    format: { xlsx: 'Excel (XLSX)', csv: 'CSV' },
    lines: 'One row for each line',
    recipients: 'With recipients',
    recipientsHint: 'Personal data. The audit log records it.',
    rowsSoFar: (rows: string) => `${rows} ${rows === '1' ? 'row' : 'rows'} so far`,
    saved: (rows: string) => `${rows} ${rows === '1' ? 'row' : 'rows'}, saved to your downloads`,
    cancel: 'Cancel',
  },
  'zh-TW': {
    export: '匯出',
    exports: '匯出作業',
    format: { xlsx: 'Excel 檔（XLSX）', csv: 'CSV 檔' },
    lines: '每個品項一列',
    recipients: '包含收件人',
    recipientsHint: '個人資料，將記入稽核紀錄。',
    rowsSoFar: (rows: string) => `已匯出 ${rows} 列`,
    saved: (rows: string) => `共 ${rows} 列，已存到下載資料夾`,
    cancel: '取消',
  },
});
