import { outcome } from '../../messages/outcome-texts.ts';
import { receiveDueForms } from '../domain/inbound/receive-due-forms.ts';
import type { Job } from './job.ts';

/** Receives forms of UAT keys whose `receive_after_s` has passed. */
export const receiveFormsJob: Job = {
  name: 'receive_forms',
  everySeconds: 5,
  async run({ stopping, ...context }) {
    const { received, left } = await receiveDueForms(context, stopping);
    return outcome('forms_received', { count: received, left });
  },
};
