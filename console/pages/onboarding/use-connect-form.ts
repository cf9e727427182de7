import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { onboardingConnect } from '../../../contract/console/onboarding.ts';
import type { storesList, warehousesList } from '../../../contract/console/partners.ts';
import type { AskError } from '../../kit/ask-error.ts';
import { useLanguage, useWords } from '../../kit/language.tsx';
import { newUuid } from '../../kit/new-uuid.ts';
import { useNotices } from '../../kit/notices.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { useChange } from '../../kit/use-change.tsx';
import { formatProblem } from '../partners/form-dialog.tsx';
import { words as partnerWords } from '../partners/words.ts';
import {
  bodyOf,
  type ConnectField,
  type ConnectValues,
  fieldOf,
  mistakesOf,
  stepOf,
  valuesOf,
  type WizardStep,
  wizardSteps,
} from './connect-values.ts';
import { keepIssuedLink } from './issued-links.ts';
import { words } from './words.ts';

export interface ConnectForm {
  step: WizardStep;
  values: ConnectValues;
  set(values: Partial<ConnectValues>): void;
  /** The mistake of a field; null until somebody has tried to go on. */
  errorOf(field: ConnectField): string | null;
  notice: string | null;
  /** Whether the step was finished. */
  next(): boolean;
  back(): void;
  goBackTo(step: WizardStep): void;
  /** Whether everything was created. */
  confirm(): Promise<boolean>;
  isSending: boolean;
}

/** The state of the wizard. */
export function useConnectForm(): ConnectForm {
  const { language } = useLanguage();
  const { refusal, mistake: mistakeTexts } = useWords(partnerWords);
  const { apiMissing } = useWords(words);
  const [typed, setTyped] = useState<Partial<ConnectValues>>({});
  const [step, setStep] = useState<WizardStep>('account');
  const [tried, setTried] = useState<WizardStep | null>(null);
  const { refused, notice, setRefused, send, isSending } = useSending(setStep);
  const values = valuesOf(typed, usePlaces(), language);

  const goTo = (place: number) => {
    setTried(null);
    setStep(wizardSteps[place]!);
  };
  const mistakes = mistakesOf(step, values);
  return {
    step,
    values,
    set(changes) {
      setTyped((before) => ({ ...before, ...changes }));
      setRefused((before) => without(before, Object.keys(changes)));
    },
    errorOf(field) {
      const reason = refused[field];
      if (reason !== undefined) return formatProblem(reason, refusal);
      const mistake = tried === step ? mistakes[field] : undefined;
      if (mistake === undefined) return null;
      return field === 'warehouseApi' ? apiMissing : mistakeTexts[mistake];
    },
    notice,
    next() {
      setTried(step);
      if (Object.keys(mistakes).length > 0) return false;
      goTo(wizardSteps.indexOf(step) + 1);
      return true;
    },
    back: () => goTo(wizardSteps.indexOf(step) - 1),
    goBackTo(wanted) {
      if (wizardSteps.indexOf(wanted) < wizardSteps.indexOf(step)) goTo(wizardSteps.indexOf(wanted));
    },
    confirm: () => send(values),
    isSending,
  };
}

type Refused = Partial<Record<ConnectField, Parameters<typeof formatProblem>[0]>>;

function without(refused: Refused, fields: string[]): Refused {
  return Object.fromEntries(Object.entries(refused).filter(([field]) => !fields.includes(field)));
}

/** Sends the form. A repeat after a lost response has the same id, so that nothing is created twice. */
function useSending(setStep: (step: WizardStep) => void) {
  const say = useWords(words);
  const { refusal } = useWords(partnerWords);
  const notices = useNotices();
  const navigate = useNavigate();
  const [requestId, setRequestId] = useState(newUuid);
  const [refused, setRefused] = useState<Refused>({});
  const [notice, setNotice] = useState<string | null>(null);
  const connect = useChange<typeof onboardingConnect>('/onboarding/connect', { onError: showError });

  function show(problems: { field: string | null; reason: Refused[ConnectField] }[]): void {
    const placed = problems.map((problem) => ({ ...problem, place: fieldOf(problem) }));
    setRefused(Object.fromEntries(placed.flatMap(({ place, reason }) => (place === null ? [] : [[place, reason]]))));
    const others = placed.flatMap(({ place, reason }) =>
      place === null && reason ? [formatProblem(reason, refusal)] : [],
    );
    setNotice(others.length === 0 ? null : others.join(' '));
    const first = wizardSteps.find((step) => placed.some(({ place }) => place !== null && stepOf(place) === step));
    if (first !== undefined) setStep(first);
    // After an edit, the form is another request.
    setRequestId(newUuid());
  }

  function showError(error: AskError): void {
    if (error.mistakes.length === 0) notices.failed(error);
    else
      show(
        error.mistakes.map(({ path, message }) => ({ field: path, reason: { reason: 'other', field: path, message } })),
      );
  }

  async function send(values: ConnectValues): Promise<boolean> {
    setNotice(null);
    const answer = await connect.run(bodyOf(values, requestId));
    if (answer === undefined) return false;
    if (answer.kind === 'refused') {
      show(
        answer.problems.map((problem) => ({
          field: problem.field,
          reason: { ...problem, field: shortName(problem.field) },
        })),
      );
      return false;
    }
    if (answer.kind === 'other_request') {
      setNotice(say.otherRequest);
      return false;
    }
    if (answer.link.url === null) notices.refused(say.alreadyOpened);
    else notices.done(say.connected(answer.account_no));
    keepIssuedLink(answer.account_no, answer.link);
    await navigate(
      `/partners/accounts/${encodeURIComponent(answer.account_no)}/handover?language=${answer.link.language}`,
    );
    return true;
  }

  return { refused, notice, setRefused, send, isSending: connect.isRunning };
}

/** The texts of problems know fields by their names alone. */
function shortName(field: string | null): string | null {
  return field?.split('.').at(-1) ?? null;
}

function usePlaces() {
  const warehouses = useAsk<typeof warehousesList>('/warehouses/list', {}, { topics: ['partners'] });
  const stores = useAsk<typeof storesList>('/stores/list', {}, { topics: ['partners'] });
  return {
    warehouses: warehouses.answer?.rows.map(({ warehouse_no }) => String(warehouse_no)) ?? [],
    stores: stores.answer?.rows.map(({ store_no }) => store_no) ?? [],
  };
}
