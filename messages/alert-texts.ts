import { messagesOf } from './message.ts';

/** The e-mails and webhooks of alerts. */
export const alertTexts = {
  alert_subject_one: ['{title}: {count}', '{title}：{count}'],
  alert_subject_resolved: ['Resolved: {title}', '已解除：{title}'],
  alert_subject_several: ['{count} conditions: {rule}', '{count} 項警示：{rule}'],
  alert_subject_summary: ['{count} conditions in the quiet hours: {rule}', '勿擾時段共 {count} 項警示：{rule}'],
  alert_subject_test: ['Test: {rule}', '測試：{rule}'],
  alert_intro_test: [
    'This is a test of the alert rule {rule}. Nothing has happened.',
    '這是警示規則「{rule}」的測試訊息，並未發生任何狀況。',
  ],
  alert_intro_summary: ['In the quiet hours of the rule {rule}:', '警示規則「{rule}」的勿擾時段內：'],
  alert_intro: ['Alert rule: {rule}', '警示規則：{rule}'],
  alert_event_raised: ['needs attention', '需要處理'],
  alert_event_repeated: ['still needs attention', '仍未解除'],
  alert_event_grown: ['has at least doubled', '已增加一倍以上'],
  alert_event_resolved: ['is resolved', '已解除'],
  alert_event_held: ['since {since}, up to {max}', '自 {since} 起，最多 {max}'],
  alert_event_held_over: ['since {since}, up to {max}; now resolved', '自 {since} 起，最多 {max}，目前已解除'],
  alert_line: ['{title}: {count} ({event})', '{title}：{count}（{event}）'],
  alert_capped: ['more than {count}', '超過 {count}'],
  alert_oldest: ['Oldest: {since}', '最早：{since}'],
  alert_names: ['Concerns: {names}', '相關對象：{names}'],
  alert_open: ['Open: {url}', '查看：{url}'],
  alert_open_link: ['Open the list', '查看清單'],
  alert_footer: ['Change this rule: {url}', '變更此規則：{url}'],
} as const;

export const alertText = messagesOf(alertTexts);
