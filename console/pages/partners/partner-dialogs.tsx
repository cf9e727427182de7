import { type ReactNode, useState } from 'react';
import type { ListedAccount } from '../../../contract/console/accounts.ts';
import type { ListedClient } from '../../../contract/console/partner-clients.ts';
import type { ListedLogisticsKey } from '../../../contract/console/partner-keys.ts';
import type { ListedStore, ListedWarehouse } from '../../../contract/console/partner-places.ts';
import type { ListedTenant } from '../../../contract/console/partner-tenants.ts';
import type { IssuedSecret, SecretFacts } from '../../../contract/console/partner-values.ts';
import { AccountForm } from './account-form.tsx';
import { ClientForm } from './client-form.tsx';
import type { PartnerFormProps } from './form-dialog.tsx';
import { IssuedSecrets } from './issued-secrets.tsx';
import { KeyForm } from './key-form.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { StoreForm } from './store-form.tsx';
import { type Switchable, SwitchDialog } from './switch-dialog.tsx';
import { TenantForm } from './tenant-form.tsx';
import { WarehouseForm } from './warehouse-form.tsx';

/** What one can be in the middle of; null in the place of a partner: a new one. */
export type PartnerDialog =
  | { kind: 'account'; account: ListedAccount | null }
  | { kind: 'tenant'; accountNo: string; tenant: ListedTenant | null }
  | { kind: 'client'; accountNo: string | null; client: ListedClient | null }
  | { kind: 'key'; accountNo: string | null; logisticsKey: ListedLogisticsKey | null }
  | { kind: 'warehouse'; warehouse: ListedWarehouse | null }
  | { kind: 'store'; store: ListedStore | null }
  | { kind: 'rotate'; secret: Pick<SecretFacts, 'kind' | 'owner'> }
  | { kind: 'switch'; target: Switchable; enables: boolean };

export interface PartnerDialogs {
  open(dialog: PartnerDialog): void;
  /** To be shown somewhere on the page. */
  element: ReactNode;
}

/** One dialogue at a time, and after it the secrets that it has made. */
export function usePartnerDialogs(): PartnerDialogs {
  const [dialog, setDialog] = useState<PartnerDialog | null>(null);
  const [secrets, setSecrets] = useState<IssuedSecret[]>([]);
  const onClose = () => setDialog(null);
  const onDone = (issued: IssuedSecret[]) => {
    setDialog(null);
    setSecrets(issued);
  };
  return {
    open: setDialog,
    element: (
      <>
        {dialog && <OpenDialog dialog={dialog} onClose={onClose} onDone={onDone} />}
        <IssuedSecrets secrets={secrets} onClose={setSecrets} />
      </>
    ),
  };
}

function OpenDialog({ dialog, ...ends }: PartnerFormProps & { dialog: PartnerDialog }) {
  switch (dialog.kind) {
    case 'account':
      return <AccountForm account={dialog.account} {...ends} />;
    case 'tenant':
      return <TenantForm accountNo={dialog.accountNo} tenant={dialog.tenant} {...ends} />;
    case 'client':
      return <ClientForm accountNo={dialog.accountNo} client={dialog.client} {...ends} />;
    case 'key':
      return <KeyForm accountNo={dialog.accountNo} logisticsKey={dialog.logisticsKey} {...ends} />;
    case 'warehouse':
      return <WarehouseForm warehouse={dialog.warehouse} {...ends} />;
    case 'store':
      return <StoreForm store={dialog.store} {...ends} />;
    case 'rotate':
      return <RotateDialog secret={dialog.secret} {...ends} />;
    case 'switch':
      return <SwitchDialog target={dialog.target} enables={dialog.enables} onClose={ends.onClose} />;
    default:
      return dialog satisfies never;
  }
}
