import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useParams } from 'react-router';
import type { AccountDetail, accountsDetail, ListedPartnerChange } from '../../../contract/console/partners.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { Facts } from '../../kit/facts.tsx';
import { useWords } from '../../kit/language.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Section } from '../../kit/section.tsx';
import { useMay, useMayEverywhere } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { Timeline } from '../../kit/timeline.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { AccountHealthSection } from '../onboarding/account-health.tsx';
import { FirstSteps } from '../onboarding/first-steps.tsx';
import { SheetButton } from '../onboarding/sheet-button.tsx';
import { ClientTable } from './client-table.tsx';
import { ConnectSection } from './connect-section.tsx';
import { CreateButton } from './create-button.tsx';
import { DifferenceList } from './difference-list.tsx';
import { KeyTable } from './key-table.tsx';
import { EnabledBadge, LastUsed, SecretAge } from './partner-cells.tsx';
import { type PartnerDialogs, usePartnerDialogs } from './partner-dialogs.tsx';
import { PartnerEmpty } from './partner-empty.tsx';
import { TenantTable } from './tenant-table.tsx';
import { TestCallback } from './test-callback.tsx';
import { words } from './words.ts';

export function Component() {
  const say = useWords(words);
  const { accountNo = '' } = useParams();
  const dialogs = usePartnerDialogs();
  const seesAll = useMayEverywhere('read-only');
  const asked = useAsk<typeof accountsDetail>(
    '/accounts/detail',
    { account_no: accountNo },
    { topics: ['partners'], everyMs: 30_000 },
  );
  const account = asked.answer?.account_no === accountNo ? asked.answer : undefined;
  return (
    <>
      <PageHeader
        back={{ to: '/partners', label: say.title }}
        title={say.accountNamed(accountNo)}
        aside={account && <EnabledBadge enabled={account.enabled} />}
        subtitle={account?.name}
        actions={account && <AccountActions account={account} dialogs={dialogs} />}
      />
      <AskedContent asked={{ ...asked, answer: account }} lines={12}>
        {(found) => (
          <>
            <AccountFacts account={found} />
            {seesAll && <FirstSteps accountNo={accountNo} />}
            {seesAll && <AccountHealthSection accountNo={accountNo} />}
            <Belongings account={found} dialogs={dialogs} />
            <ConnectSection />
            <Section title={say.history}>
              <History changes={found.history} />
            </Section>
          </>
        )}
      </AskedContent>
      {dialogs.element}
    </>
  );
}

function AccountActions({ account, dialogs }: { account: AccountDetail; dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const target = {
    kind: 'account',
    account_no: account.account_no,
    clients: account.clients,
    keys: account.keys,
  } as const;
  const mayTest = useMayEverywhere('staff');
  const sheet = <SheetButton accountNo={account.account_no} />;
  if (!useMay('admin'))
    return (
      <>
        {sheet}
        {mayTest && <TestCallback account={account} />}
      </>
    );
  return (
    <>
      {sheet}
      <TestCallback account={account} />
      <Button variant="default" onClick={() => dialogs.open({ kind: 'switch', target, enables: !account.enabled })}>
        {account.enabled ? say.disable : say.enable}
      </Button>
      <Button
        variant="default"
        leftSection={<IconKey size={15} />}
        onClick={() => dialogs.open({ kind: 'rotate', secret: account.secret, accountNo: account.account_no })}
      >
        {say.rotate(say.secretInText.account_secret)}
      </Button>
      {account.callback_secret.since !== null && (
        <Button
          variant="default"
          leftSection={<IconKey size={15} />}
          onClick={() =>
            dialogs.open({ kind: 'rotate', secret: account.callback_secret, accountNo: account.account_no })
          }
        >
          {say.rotate(say.secretInText.account_callback_secret)}
        </Button>
      )}
      <Button variant="default" onClick={() => dialogs.open({ kind: 'account', account })}>
        {shared.verb.edit}
      </Button>
    </>
  );
}

function AccountFacts({ account }: { account: AccountDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Section title={say.facts}>
      <Facts
        facts={[
          { label: say.environment, value: shared.environment[account.environment] },
          { label: say.warehouseApi, value: account.warehouse_api ? shared.yes : shared.no },
          { label: say.lastUsed, value: <LastUsed at={account.last_used_at} /> },
          { label: say.secretName.account_secret, value: <SecretAge secret={account.secret} /> },
          { label: say.callbackUrl, value: account.callback_url ?? say.callbackUrlNone },
          ...(account.callback_secret.since === null
            ? []
            : [
                {
                  label: say.secretName.account_callback_secret,
                  value: <SecretAge secret={account.callback_secret} />,
                },
              ]),
          { label: shared.noun.created, value: <Time at={account.created_at} absolute /> },
        ]}
      />
    </Section>
  );
}

function Belongings({ account, dialogs }: { account: AccountDetail; dialogs: PartnerDialogs }) {
  const say = useWords(words);
  const mayChange = useMay('admin');
  const { account_no: accountNo, tenant_rows, client_rows, key_rows } = account;
  const newTenant = (
    <CreateButton label={say.create.tenant} onClick={() => dialogs.open({ kind: 'tenant', accountNo, tenant: null })} />
  );
  const newClient = (
    <CreateButton label={say.create.client} onClick={() => dialogs.open({ kind: 'client', accountNo, client: null })} />
  );
  const newKey = (
    <CreateButton
      label={say.create.logistics_key}
      onClick={() => dialogs.open({ kind: 'key', accountNo, logisticsKey: null })}
    />
  );
  return (
    <>
      <Section title={say.tenants} flush actions={mayChange && tenant_rows.length > 0 && newTenant}>
        <TenantTable
          tenants={tenant_rows}
          dialogs={dialogs}
          empty={<PartnerEmpty title={say.empty.tenants} hint={say.empty.tenantsHint} action={newTenant} />}
        />
      </Section>
      <Section title={say.clients} flush actions={mayChange && client_rows.length > 0 && newClient}>
        <ClientTable
          ofOneAccount
          clients={client_rows}
          dialogs={dialogs}
          empty={<PartnerEmpty title={say.empty.clients} hint={say.empty.clientsHint} action={newClient} />}
        />
      </Section>
      <Section title={say.tab.keys} flush actions={mayChange && key_rows.length > 0 && newKey}>
        <KeyTable
          ofOneAccount
          keys={key_rows}
          dialogs={dialogs}
          empty={<PartnerEmpty title={say.empty.keys} hint={say.empty.keysHint} action={newKey} />}
        />
      </Section>
    </>
  );
}

const toneOfChange = { created: 'done', changed: 'active', rotated: 'todo' } as const;

function History({ changes }: { changes: ListedPartnerChange[] }) {
  const say = useWords(words);
  const kinds: Record<string, string> = say.subjectKind;
  const verbs: Record<string, string> = say.changeKind;
  return (
    <Timeline
      empty={{ title: say.historyEmptyTitle, hint: say.historyEmptyHint }}
      entries={changes.map(({ change_id, at, who, subject_kind, subject, change, fields }) => ({
        key: String(change_id),
        at,
        tone: toneOfChange[change as keyof typeof toneOfChange] ?? 'active',
        title: say.changed(kinds[subject_kind] ?? subject_kind, subject, verbs[change] ?? change),
        actor: who,
        details: <DifferenceList differences={fields} />,
      }))}
    />
  );
}
