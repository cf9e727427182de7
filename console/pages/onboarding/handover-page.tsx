import { Alert, Button, Stack } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { IssuedLink, LinkLanguage } from '../../../contract/console/onboarding.ts';
import type { AccountDetail, accountsDetail, partnersAddresses } from '../../../contract/console/partners.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { useLanguage, useWords } from '../../kit/language.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useMayEverywhere } from '../../kit/session.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { TestCallback } from '../partners/test-callback.tsx';
import { words as partnerWords } from '../partners/words.ts';
import { FirstSteps } from './first-steps.tsx';
import classes from './handover.module.css';
import { HandoverLinks } from './handover-links.tsx';
import { issuedLinkOf, keepIssuedLink } from './issued-links.ts';
import { LanguageField } from './link-fields.tsx';
import { Sheet } from './sheet.tsx';
import { words } from './words.ts';

/** The sheet for the partner, and below it what only operators see: the links and how far the partner has come. */
export function Component() {
  const say = useWords(words);
  const partners = useWords(partnerWords);
  const { language: own } = useLanguage();
  const { accountNo = '' } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const chosen = parameters.get('language');
  const language: LinkLanguage = chosen === 'en' || chosen === 'zh-TW' ? chosen : own;
  const [link, setLink] = useState(() => issuedLinkOf(accountNo));
  const mayWork = useMayEverywhere('staff');
  const account = useAsk<typeof accountsDetail>(
    '/accounts/detail',
    { account_no: accountNo },
    { topics: ['partners'] },
  );
  const addresses = useAsk<typeof partnersAddresses>('/partners/addresses', {});
  const found = account.answer?.account_no === accountNo ? account.answer : undefined;
  return (
    <>
      <div className={classes.screenOnly}>
        <PageHeader
          back={{ to: `/partners/accounts/${encodeURIComponent(accountNo)}`, label: partners.accountNamed(accountNo) }}
          title={say.sheetOf(accountNo)}
          actions={
            <>
              {found && mayWork && <TestCallback account={found} />}
              <Button leftSection={<IconPrinter size={15} />} onClick={() => window.print()}>
                {say.print}
              </Button>
            </>
          }
        />
        <Stack gap="md" mb="md">
          {link?.url && (
            <Alert color="yellow" p="sm">
              <strong>{say.linkNow}</strong>
              <div>{say.linkNowHint}</div>
            </Alert>
          )}
          <LanguageField
            value={language}
            onChange={(value) => setParameters({ language: value }, { replace: true, preventScrollReset: true })}
          />
        </Stack>
      </div>
      <AskedContent
        asked={{ ...account, answer: found && addresses.answer && { found, addresses: addresses.answer } }}
        lines={16}
      >
        {(both) => <Sheet language={language} account={both.found} addresses={both.addresses} link={link} />}
      </AskedContent>
      {found && <OperatorPart account={found} onIssued={setLink} />}
    </>
  );
}

/** The part for operators only: the links, and how far the partner has come. */
function OperatorPart({ account, onIssued }: { account: AccountDetail; onIssued(link: IssuedLink): void }) {
  const accountNo = account.account_no;
  const mayWork = useMayEverywhere('staff');
  const seesAll = useMayEverywhere('read-only');
  const show = (link: IssuedLink) => {
    keepIssuedLink(accountNo, link);
    onIssued(link);
    window.scrollTo({ top: 0 });
  };
  return (
    <div className={classes.screenOnly}>
      {mayWork && <HandoverLinks account={account} onIssued={show} />}
      {seesAll && <FirstSteps accountNo={accountNo} />}
    </div>
  );
}
