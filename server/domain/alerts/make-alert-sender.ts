import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { makeAddressGuard } from '../../platform/outgoing/address-guard.ts';
import { makeOutgoingHttp } from '../../platform/outgoing/http-client.ts';
import { makeMailClient } from '../../platform/outgoing/smtp-client.ts';
import type { SmtpSettings } from '../../platform/outgoing/smtp-settings.ts';
import type { AlertSender } from './send-alert.ts';

export interface AlertSettings {
  mail: SmtpSettings | null;
  publicUrl: string;
  /** Private addresses that webhooks may lead to. */
  callbackAllowCidrs: string[];
}

/** Connections are opened for each message and closed with the sender: alerts are rare. */
export function makeAlertSender(parts: { keyring: Keyring; clock: Clock; config: AlertSettings }): {
  sender: AlertSender;
  close(): Promise<void>;
} {
  const { keyring, clock, config } = parts;
  const { mail, publicUrl, callbackAllowCidrs } = config;
  const http = makeOutgoingHttp({ guard: makeAddressGuard(callbackAllowCidrs) });
  const sender = { http, mail: mail && makeMailClient(mail), keyring, publicUrl, now: () => clock.now() };
  return { sender, close: () => http.close() };
}
