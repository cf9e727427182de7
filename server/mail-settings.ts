/** The settings of the mail server. */
export const mailSettings = [
  {
    name: 'SMTP_URL',
    meaning:
      'mail server for alerts: smtps://USER:PASSWORD@HOST (port 465), or smtp://USER:PASSWORD@HOST:PORT with STARTTLS (port 587); ?starttls=off for a server without TLS and password',
    fallback: 'none: alerts are sent to webhooks only',
    secret: true,
  },
  { name: 'SMTP_FROM', meaning: 'sender of alerts, such as Lading <alerts@mail.example>', fallback: 'none' },
  {
    name: 'SMTP_CA',
    meaning: 'file with the certificate authorities (PEM) to trust for the mail server instead of the public ones',
    fallback: 'the public ones',
  },
] as const;
