import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseMailAddress, parseSmtpUrl, type SmtpSettings } from './platform/outgoing/smtp-settings.ts';
import type { SettingsReader } from './settings-reader.ts';

/** null: there is no mail server. */
export function readMail(read: SettingsReader): SmtpSettings | null {
  const url = read.text('SMTP_URL');
  const ca = read.checked('SMTP_CA', null as string | null, readAuthorities, 'a file with certificates in PEM format');
  const from = read.checked(
    'SMTP_FROM',
    null as SmtpSettings['from'] | null,
    parseMailAddress,
    'an address such as alerts@mail.example or Lading <alerts@mail.example>',
  );
  if (url === null) {
    for (const name of ['SMTP_FROM', 'SMTP_CA'] as const)
      if (!read.isUnset(name)) read.mistakes.push(`${name} has no effect without SMTP_URL; set both or neither`);
    return null;
  }
  const server = parseSmtpUrl(url);
  if (typeof server === 'string') {
    read.mistakes.push(`SMTP_URL ${server}`);
    return null;
  }
  if (read.isUnset('SMTP_FROM')) read.mistakes.push('SMTP_FROM is missing: it is required with SMTP_URL');
  return from === null ? null : { ...server, from, ca };
}

function readAuthorities(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return new X509Certificate(text).ca ? text : undefined;
  } catch {
    return undefined;
  }
}
