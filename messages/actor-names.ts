const names = {
  en: {
    command: (user: string) => `Command line (${user})`,
    simulated: (warehouse: string) => `Simulated warehouse ${warehouse}`,
    'waiting orders': 'Automatic allocation',
    erase_recipients: 'Scheduled erasure',
    purge_uat: 'Scheduled purge',
    'identity provider': 'Identity provider',
    '(unknown)': 'Unknown',
  },
  'zh-TW': {
    command: (user: string) => `命令列（${user}）`,
    simulated: (warehouse: string) => `模擬倉庫 ${warehouse}`,
    'waiting orders': '自動配貨',
    erase_recipients: '定期刪除個資',
    purge_uat: '定期清除',
    'identity provider': '身分提供者',
    '(unknown)': '不明',
  },
};

/** The person or system that did something, as people call it: operators by their name, commands by their user. */
export function actorName(actor: string, language: keyof typeof names): string {
  const say = names[language];
  const [, user] = /^[a-z][a-z -]* \(([^()]+)\)$/.exec(actor) ?? [];
  if (user !== undefined) return say.command(user);
  const [, warehouse] = /^simulated warehouse (\d+)$/.exec(actor) ?? [];
  if (warehouse !== undefined) return say.simulated(warehouse);
  const [, operator] = /^operator (\S+)$/.exec(actor) ?? [];
  if (operator !== undefined) return operator;
  const known: unknown = say[actor as keyof typeof say];
  return typeof known === 'string' ? known : actor;
}
