import { type ReactNode, useState } from 'react';
import type {
  IssuedSecret,
  ListedAccount,
  ListedClient,
  ListedLogisticsKey,
  ListedStore,
  ListedTenant,
  ListedWarehouse,
  SecretFacts,
} from '../../../contract/console/partners.ts';
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

/** The open dialog. If the partner is null, the dialog creates a new one. */
export type PartnerDialog =
  | { kind: 'account'; account: ListedAccount | null }
  | { kind: 'tenant'; accountNo: string; tenant: ListedTenant | null }
  | { kind: 'client'; accountNo: string | null; client: ListedClient | null }
  | { kind: 'key'; accountNo: string | null; logisticsKey: ListedLogisticsKey | null }
  | { kind: 'warehouse'; warehouse: ListedWarehouse | null }
  | { kind: 'store'; store: ListedStore | null }
  | { kind: 'rotate'; secret: Pick<SecretFacts, 'kind' | 'owner'>; accountNo?: string | undefined }
  | { kind: 'switch'; target: Switchable; enables: boolean };

export interface PartnerDialogs {
  open(dialog: PartnerDialog): void;
  /** The page must render it. */
  element: ReactNode;
}

/** Shows one dialog at a time, then the secrets that it issued. */
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
      return <RotateDialog secret={dialog.secret} accountNo={dialog.accountNo} {...ends} />;
    case 'switch':
      return <SwitchDialog target={dialog.target} enables={dialog.enables} onClose={ends.onClose} />;
    default:
      return dialog satisfies never;
  }
}
