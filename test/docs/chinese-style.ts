/** Terms of other regions, and what the trade in Taiwan says. */
const foreignTerms: [RegExp, string][] = [
  [/数|请|响应|获取/, '繁體字與台灣用語'],
  [/默認/, '預設'],
  [/網絡/, '網路'],
  [/服務器/, '伺服器'],
  [/字符串?/, '字元、字串'],
  [/數組/, '陣列'],
  [/用戶(?!端)/, '使用者'],
  [/信息/, '訊息、資訊'],
  [/接口/, '介面'],
  [/(?<!回)調用/, '呼叫'],
  [/緩存/, '快取'],
  [/隊列/, '佇列'],
  [/令牌/, '權杖'],
  [/頭部|消息/, '標頭、訊息'],
  [/數據/, '資料'],
  [/代碼庫/, '程式庫'],
  [/質量/, '品質'],
  [/鏈接/, '連結'],
  [/簽名/, '簽章'],
  [/密匙/, '密鑰'],
  [/返回/, '回傳'],
  [/字段/, '欄位'],
  [/對象/, '物件'],
  [/文件夾/, '資料夾'],
  [/冪等性/, '冪等'],
  [/共享密鑰/, '共用密鑰'],
  [/停止收貨/, '終止收貨'],
];

const han = '\\u3400-\\u9fff';
const spacing = new RegExp(`[${han}][A-Za-z0-9\`]|[A-Za-z0-9\`%][${han}]`, 'g');
const betweenHan = new RegExp(`[${han}] (?=[${han}])`, 'g');
const halfWidth = new RegExp(`[${han}][,;:!?]|[${han}]\\.(?!\\w)|[${han}]\\(|\\)[${han}]`, 'g');

/** What a reader in Taiwan would correct in the form of a text. */
export function styleComplaints(text: string): string[] {
  const prose = withoutForms(text);
  return [
    ...foreignTerms.flatMap(([term, better]) => (term.test(prose) ? [`${term.exec(prose)![0]}: ${better}`] : [])),
    ...(prose.match(spacing) ?? []).map((found) => `a space is missing: ${found}`),
    ...(prose.match(halfWidth) ?? []).map((found) => `full-width punctuation is missing: ${found}`),
    ...(prose.match(/[，。：；、！？（）「」] (?=\S)/g) ?? []).map((found) => `a space after punctuation: ${found}`),
    ...(prose.match(betweenHan) ?? []).map((found) => `a space between Chinese characters: ${found}`),
    ...brokenEmphasis(text),
    ...brokenLines(text),
  ];
}

/** Code becomes one letter, so that the spaces around it are seen; targets of links disappear. */
function withoutForms(text: string): string {
  return text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/^<!--.*-->$/gm, '')
    .replaceAll(/`[^`\n]*`/g, 'A')
    .replaceAll(/\]\([^)\s]*\)/g, '')
    .replaceAll(/[[\]*]|\|/g, '');
}

/** Viewers of Markdown do not close `**` between punctuation and a letter. */
function brokenEmphasis(text: string): string[] {
  return [...text.matchAll(/\*\*([^*\n]+)\*\*(.?)/g)]
    .filter(([, inner, next]) => /[，。：；、）」]$/.test(inner!) && /[\p{L}`]/u.test(next!))
    .map(([found]) => `not emphasised: ${found}`);
}

const startsBlock = /^(#{1,6} |\||<!--|```|\s*(?:[-*]|\d+\.) )/;

/** Viewers show a line break as a space, which Chinese text does not have between words. */
function brokenLines(text: string): string[] {
  const lines = text.replaceAll(/^```[\s\S]*?^```$/gm, '').split('\n');
  return lines
    .filter((line, index) => {
      const before = lines[index - 1] ?? '';
      return (
        line.trim() !== '' && !startsBlock.test(line) && before.trim() !== '' && !/^(#{1,6} |\||<!--)/.test(before)
      );
    })
    .map((line) => `a line break within a paragraph, before: ${line.trim()}`);
}
