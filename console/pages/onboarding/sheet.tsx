import { Paper } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { IssuedLink, LinkLanguage } from '../../../contract/console/onboarding.ts';
import type { AccountDetail, PartnerAddresses } from '../../../contract/console/partners.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import type { SameWords } from '../../kit/define-words.ts';
import { formatInstant } from '../../kit/time-text.ts';
import { words as partnerWords } from '../partners/words.ts';
import classes from './handover.module.css';
import { sheetWords } from './sheet-words.ts';

type SheetWords = SameWords<(typeof sheetWords)['en']>;

export interface SheetProps {
  language: LinkLanguage;
  account: AccountDetail;
  addresses: PartnerAddresses;
  /** null: it was not issued on this page. */
  link: IssuedLink | null;
}

/** The sheet for the partner's developers, in their language. It can be printed. */
export function Sheet({ language, account, addresses, link }: SheetProps) {
  const say: SheetWords = sheetWords[language];
  return (
    <Paper withBorder p="lg" className={classes.sheet ?? ''} lang={language === 'en' ? 'en' : 'zh-Hant-TW'}>
      <h2>
        {say.heading(account.name === account.account_no ? account.name : `${account.name} (${account.account_no})`)}
      </h2>
      <div>{say.environment[account.environment]}</div>
      <Part title={say.names}>
        <Names say={say} language={language} account={account} />
      </Part>
      <Part title={say.addresses}>
        <Addresses say={say} account={account} addresses={addresses} />
      </Part>
      <Part title={say.secrets}>
        <Secrets say={say} link={link} />
      </Part>
      <Part title={say.first}>
        <ol>
          {say.todo.split('\n').map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Part>
      <Part title={say.guides}>
        <Values
          values={[
            [say.quickstart, `${addresses.docs_url}/guides/quickstart`],
            [say.signing, `${addresses.docs_url}/guides/signing`],
            [say.callbacks, `${addresses.docs_url}/guides/callbacks`],
          ]}
        />
      </Part>
    </Paper>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

/** Each row has a label, a value to copy, and what else is to be said about it. */
function Values({ values }: { values: [label: string, value: string, note?: string][] }) {
  return (
    <dl>
      {values.map(([label, value, note]) => (
        <div key={`${label} ${value}`} style={{ display: 'contents' }}>
          <dt>{label}</dt>
          <dd>
            <span className={classes.value}>{value}</span>
            {note !== undefined && <div className={classes.note}>{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Names({ say, language, account }: { say: SheetWords; language: LinkLanguage; account: AccountDetail }) {
  const { permission } = partnerWords[language];
  const { tenant_rows, client_rows, key_rows, callback_url } = account;
  const mayOf = (permissions: (keyof typeof permission)[]) =>
    permissions.length === 0
      ? say.noPermissions
      : say.permissions(permissions.map((name) => `${permission[name]} (${name})`).join(' · '));
  return (
    <Values
      values={[
        [say.accountNo, account.account_no],
        ...tenant_rows.map(
          (tenant) => [say.tenant, tenant.warehouse_tpw_id, `${tenant.warehouse_name} · ${tenant.store_name}`] as const,
        ),
        ...client_rows.map((client) => [say.client, client.client_id, mayOf(client.permissions)] as const),
        ...key_rows.map((key) => [say.key, key.name, `${key.warehouse_name} · ${key.store_name}`] as const),
        [say.callback, callback_url ?? '–', ...(callback_url === null ? [say.noCallback] : [])],
      ].map((row) => row as [string, string, string?])}
    />
  );
}

/** Only the APIs that the partner may call. */
function Addresses({ say, account, addresses }: { say: SheetWords } & Pick<SheetProps, 'account' | 'addresses'>) {
  const { docs_url, main_url, token_url, warehouse_url, logistics_url } = addresses;
  const base = docs_url.slice(0, -'/docs'.length);
  const rows: ([string, string] | false)[] = [
    [say.base, base],
    account.warehouse_api && [say.warehouse, warehouse_url],
    account.client_rows.length > 0 && [say.token, token_url],
    account.client_rows.length > 0 && [say.main, main_url],
    account.key_rows.length > 0 && [say.logistics, logistics_url],
    [say.docs, docs_url],
    [say.openapi, `${base}/openapi.json`],
    [say.collection, `${docs_url}/collections/lading.postman_collection.json`],
  ];
  return <Values values={rows.filter((row) => row !== false)} />;
}

function Secrets({ say, link }: { say: SheetWords; link: IssuedLink | null }) {
  if (link === null || link.url === null) return <div>{say.secretsLater}</div>;
  return (
    <>
      <div>{say.secretsHint}</div>
      <div className={classes.link}>
        {link.url}{' '}
        <span className={classes.screenOnly}>
          <CopyButton value={link.url} label={say.secrets} />
        </span>
      </div>
      <div className={classes.note}>{say.secretsUntil(formatInstant(link.expires_at).slice(0, 16))}</div>
    </>
  );
}
