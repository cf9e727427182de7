import { defineWords } from '../../kit/define-words.ts';

export const blockExpiredWords = defineWords({
  en: {
    open: 'Block expired stock',
    question: 'Move all expired stock to defective?',
    confirm: (lots: string) => (lots === '1' ? 'Block 1 lot' : `Block ${lots} lots`),
    effect: (lots: string, units: string) =>
      `Available units of expired lots become defective, so that no order gets them: ${units} units in ${lots} lots.`,
    more: 'One step changes at most 500 lots. Repeat it for the rest.',
    lockedStay: 'Units that are locked for orders stay good:',
    units: (units: string) => (units === '1' ? '1 unit' : `${units} units`),
    moreLots: (count: string) => `and ${count} more`,
    reason: 'Expired',
    done: (lots: string, units: string) => `Blocked: ${units} units in ${lots} lots.`,
    doneMore: (lots: string, units: string) =>
      `Blocked: ${units} units in ${lots} lots. There are more; repeat the step.`,
    conflict: 'Not changed: this reference was already used for another change.',
    leftTitle: 'Locked units stay good',
    leftHint: 'Orders have locked these expired units. Cancel or ship the orders, then block the rest.',
  },
  'zh-TW': {
    open: '封鎖過期庫存',
    question: '將所有過期庫存轉為不良品？',
    confirm: (lots: string) => `封鎖 ${lots} 個批次`,
    effect: (lots: string, units: string) =>
      `過期批次的可用數量將轉為不良品，不再配給訂單：共 ${lots} 個批次、${units} 件。`,
    more: '一次最多處理 500 個批次，其餘請再執行一次。',
    lockedStay: '已被訂單鎖定的數量維持良品：',
    units: (units: string) => `${units} 件`,
    moreLots: (count: string) => `另有 ${count} 個批次`,
    reason: '已過期',
    done: (lots: string, units: string) => `已封鎖 ${lots} 個批次、${units} 件。`,
    doneMore: (lots: string, units: string) => `已封鎖 ${lots} 個批次、${units} 件。仍有其他批次，請再執行一次。`,
    conflict: '未變更：此編號已用於其他異動。',
    leftTitle: '鎖定數量維持良品',
    leftHint: '這些過期數量已被訂單鎖定。請先取消訂單或完成出貨，再封鎖其餘數量。',
  },
});
