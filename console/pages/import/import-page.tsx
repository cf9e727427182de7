import { Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import type { ImportKind, importsTemplate } from '../../../contract/console/imports.ts';
import type { accountsDetail, accountsList } from '../../../contract/console/partners.ts';
import { askFor } from '../../kit/ask.ts';
import type { AskError } from '../../kit/ask-error.ts';
import { useLanguage, useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { Section } from '../../kit/section.tsx';
import { useMay, useSession } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { FileField } from './file-field.tsx';
import classes from './import.module.css';
import { ImportResult } from './import-result.tsx';
import { useImport } from './use-import.ts';
import { words } from './words.ts';

const kinds = ['products', 'inbound', 'orders'] as const satisfies readonly ImportKind[];

/** Imports products, inbound documents or orders from a file: it is checked first, and nothing changes until confirmed. */
export function Component() {
  const say = useWords(words);
  const mayImport = useMay('staff');
  return (
    <>
      <PageHeader title={say.title} subtitle={say.subtitle} />
      {mayImport ? <ImportForm /> : <Text>{say.notAllowed}</Text>}
    </>
  );
}

function ImportForm() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const choice = useChoice();
  const { kind, account, tenant, accounts, tenants } = choice;
  const needsTenant = kind !== 'products';
  const isComplete = account !== '' && (!needsTenant || tenant !== '');
  const target = { kind, account, tenant: needsTenant ? tenant : '' };
  const form = useImport(target, isComplete);
  const change = (changes: Record<string, string>) => {
    form.forget();
    choice.set(changes);
  };
  return (
    <>
      <Section title={say.what} actions={<Templates kind={kind} />}>
        <Stack gap="sm">
          <SegmentedControl
            aria-label={say.what}
            className={classes.kinds ?? ''}
            data={kinds.map((value) => ({ value, label: say.kind[value] }))}
            value={kind}
            onChange={(value) => change({ kind: value, tenant: '' })}
          />
          <Group gap="sm" align="flex-start">
            <Select
              label={shared.noun.account}
              className={classes.field ?? ''}
              searchable
              required
              data={accounts}
              value={account || null}
              onChange={(value) => change({ account: value ?? '', tenant: '' })}
            />
            {needsTenant && (
              <Select
                label={say.tenant}
                className={classes.field ?? ''}
                searchable
                required
                data={tenants}
                value={tenant || null}
                disabled={account === ''}
                onChange={(value) => change({ tenant: value ?? '' })}
              />
            )}
          </Group>
        </Stack>
      </Section>
      <FileField form={form} isComplete={isComplete} />
      <ImportResult form={form} kind={kind} isComplete={isComplete} />
    </>
  );
}

/** The kind, the account and the tenant are in the address. If there is only one to choose, it is chosen. */
function useChoice() {
  const [params, setParams] = useSearchParams();
  const { warehouse_nos } = useSession();
  const given = params.get('kind');
  const kind = kinds.find((one) => one === given) ?? 'products';
  const account = params.get('account') ?? '';
  const tenant = params.get('tenant') ?? '';
  const { answer: list } = useAsk<typeof accountsList>('/accounts/list', {}, { topics: ['partners'] });
  const { answer: detail } = useAsk<typeof accountsDetail>(
    '/accounts/detail',
    { account_no: account },
    { enabled: account !== '', topics: ['partners'] },
  );
  const enabled = list?.rows.filter((one) => one.enabled) ?? [];
  const usable = (detail?.tenant_rows ?? []).filter(
    (one) => one.enabled && (warehouse_nos === null || warehouse_nos.includes(one.warehouse_no)),
  );
  const set = (changes: Record<string, string>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') before.delete(name);
          else before.set(name, value);
        }
        return before;
      },
      { replace: true },
    );
  const onlyAccount = enabled.length === 1 ? enabled[0]!.account_no : '';
  const onlyTenant = usable.length === 1 ? usable[0]!.warehouse_tpw_id : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: `set` is made new in each pass.
  useEffect(() => {
    if (account === '' && onlyAccount !== '') set({ account: onlyAccount });
    else if (kind !== 'products' && tenant === '' && onlyTenant !== '') set({ tenant: onlyTenant });
  }, [kind, account, tenant, onlyAccount, onlyTenant]);
  return {
    ...{ kind, account, tenant, set },
    accounts: enabled.map(({ account_no, name }) => ({
      value: account_no,
      label: name === '' || name === account_no ? account_no : `${account_no} ${name}`,
    })),
    tenants: usable.map(({ warehouse_tpw_id, warehouse_no }) => ({
      value: warehouse_tpw_id,
      label: `${warehouse_tpw_id} (${warehouse_no})`,
    })),
  };
}

function Templates({ kind }: { kind: ImportKind }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const notices = useNotices();
  const download = async (format: 'xlsx' | 'csv') => {
    const { signal } = new AbortController();
    try {
      const response = await askFor<typeof importsTemplate>('/imports/template', { kind, format, language }, signal);
      saveFile(await response.blob(), `${say.kind[kind]}.${format}`);
    } catch (error) {
      notices.failed(error as AskError);
    }
  };
  return (
    <Group gap="xs">
      {(['xlsx', 'csv'] as const).map((format) => (
        <Button
          key={format}
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => void download(format)}
        >
          {say.template[format]}
        </Button>
      ))}
    </Group>
  );
}
