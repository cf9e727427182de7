import type { operatorsChange } from '../../../contract/console/operators.ts';
import type {
  accountsChange,
  ChangedPartner,
  clientsChange,
  logisticsKeysChange,
  tenantsChange,
} from '../../../contract/console/partners.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useChange } from '../../kit/use-change.tsx';
import { formatProblem } from './form-dialog.tsx';
import { words } from './words.ts';

export type Switchable =
  | { kind: 'account'; account_no: string; clients: number; keys: number }
  | { kind: 'tenant'; account_no: string; warehouse_tpw_id: string }
  | { kind: 'client'; client_id: string }
  | { kind: 'logistics_key'; account_no: string; name: string }
  | { kind: 'operator'; username: string };

export interface SwitchDialogProps {
  target: Switchable;
  enables: boolean;
  /** An additional note. */
  note?: string | null;
  onClose(): void;
}

/** Asks before a partner is disabled or enabled, and describes the effect. */
export function SwitchDialog({ target, enables, note = null, onClose }: SwitchDialogProps) {
  const say = useWords(words);
  const notices = useNotices();
  const name = nameOf(target);
  const onAnswer = (answer: ChangedPartner) => {
    onClose();
    if (answer.kind === 'refused')
      notices.refused(answer.problems.map((problem) => formatProblem(problem, say.refusal)).join(' '));
    else notices.done(say.done.changed(name));
  };
  const { isRunning, run } = useSwitch(target, enables, onAnswer);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      danger={!enables}
      title={(enables ? say.enableQuestion : say.disableQuestion)[target.kind](name)}
      confirmLabel={enables ? say.enableVerb : say.disableVerb}
      isRunning={isRunning}
      onConfirm={run}
    >
      {enables
        ? target.kind === 'operator'
          ? say.enableOperatorEffect
          : say.enableEffect
        : effectOf(target, name, say)}
      {note !== null && !enables && <div>{note}</div>}
    </ConfirmDialog>
  );
}

function useSwitch(target: Switchable, enabled: boolean, onAnswer: (answer: ChangedPartner) => void) {
  const account = useChange<typeof accountsChange>('/accounts/change', { onAnswer });
  const tenant = useChange<typeof tenantsChange>('/tenants/change', { onAnswer });
  const client = useChange<typeof clientsChange>('/clients/change', { onAnswer });
  const logisticsKey = useChange<typeof logisticsKeysChange>('/logistics-keys/change', { onAnswer });
  const operator = useChange<typeof operatorsChange>('/operators/change', { onAnswer });
  const isRunning = [account, tenant, client, logisticsKey, operator].some((change) => change.isRunning);
  const run = () => {
    switch (target.kind) {
      case 'account':
        return void account.run({ account_no: target.account_no, enabled });
      case 'tenant':
        return void tenant.run({ account_no: target.account_no, warehouse_tpw_id: target.warehouse_tpw_id, enabled });
      case 'client':
        return void client.run({ client_id: target.client_id, enabled });
      case 'logistics_key':
        return void logisticsKey.run({ account_no: target.account_no, name: target.name, enabled });
      case 'operator':
        return void operator.run({ username: target.username, enabled });
      default:
        return target satisfies never;
    }
  };
  return { isRunning, run };
}

function nameOf(target: Switchable): string {
  switch (target.kind) {
    case 'account':
      return target.account_no;
    case 'tenant':
      return `${target.account_no}/${target.warehouse_tpw_id}`;
    case 'client':
      return target.client_id;
    case 'logistics_key':
      return `${target.account_no}/${target.name}`;
    case 'operator':
      return target.username;
    default:
      return target satisfies never;
  }
}

function effectOf(
  target: Switchable,
  name: string,
  say: Pick<(typeof words)['en'], 'disableAccountEffect' | 'disableEffect'>,
): string {
  return target.kind === 'account'
    ? say.disableAccountEffect(name, formatNumber(target.clients), formatNumber(target.keys))
    : say.disableEffect[target.kind](name);
}
