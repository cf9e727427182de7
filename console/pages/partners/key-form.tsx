import type {
  ListedLogisticsKey,
  logisticsKeysChange,
  logisticsKeysCreate,
} from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { checkName, checkPicked, checkReceiveAfter } from './field-checks.ts';
import { FormDialog, numberField, type PartnerFormProps, pickField, textField } from './form-dialog.tsx';
import { AccountSelect } from './partner-selects.tsx';
import { stockRulesOf, useStockRuleFields } from './stock-rules.tsx';
import { words } from './words.ts';

/** Creates a key if `logisticsKey` is null, and otherwise changes it. With `accountNo`, the account is fixed. */
export function KeyForm({
  accountNo,
  logisticsKey,
  ...dialog
}: PartnerFormProps & { accountNo: string | null; logisticsKey: ListedLogisticsKey | null }) {
  const say = useWords(words);
  const rules = useStockRuleFields(logisticsKey);
  const create = useChange<typeof logisticsKeysCreate>('/logistics-keys/create');
  const change = useChange<typeof logisticsKeysChange>('/logistics-keys/change');
  return (
    <FormDialog
      {...dialog}
      title={
        logisticsKey === null
          ? say.create.logistics_key
          : say.change.logistics_key(`${logisticsKey.account_no}/${logisticsKey.name}`)
      }
      isNew={logisticsKey === null}
      nameOf={({ account, name }) => `${say.key} ${account}/${name}`}
      fields={{
        name: textField(say.keyName, logisticsKey?.name, checkName, { isName: true, maxLength: 64 }),
        account: {
          ...pickField(AccountSelect, logisticsKey?.account_no ?? accountNo ?? '', checkPicked),
          isName: true,
          isHidden: accountNo !== null,
        },
        ...rules,
        receiveAfter: numberField(say.receiveAfter, logisticsKey?.receive_after_s, checkReceiveAfter, {
          description: say.receiveAfterHint,
        }),
      }}
      send={({ account, name, receiveAfter, ...typed }) => {
        const after = receiveAfter === '' ? {} : { receive_after_s: Number(receiveAfter) };
        const given = { account_no: account, name, ...stockRulesOf(typed), ...after };
        return logisticsKey === null ? create.run(given) : change.run(given);
      }}
    />
  );
}
