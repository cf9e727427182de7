import type { IssuedSecret } from '../../../contract/console/partner-values.ts';

/** What every form of a partner is given by the page. */
export interface PartnerFormProps {
  onDone(secrets: IssuedSecret[]): void;
  onClose(): void;
}
