import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { AccountNo, record } from './console-values.ts';

/** By what people call it: so it stands in the audit log, too. */
const Receiver = record({ account_no: AccountNo, address: Type.String({ minLength: 1, maxLength: 32_768 }) });

/** What is on its way still arrives; everything else waits. */
export const receiverPause = consoleCall<{ kind: 'paused' } | { kind: 'already' }>()('/receivers/pause', Receiver);

/** What waited is sent at once. */
export const receiverResume = consoleCall<{ kind: 'resumed' } | { kind: 'already' }>()('/receivers/resume', Receiver);
