import { useQuery } from '@tanstack/react-query';
import { useLanguage } from './language.tsx';
import { sayServerText } from './server-texts.ts';

export interface ServerTextProps {
  text: string;
  className?: string | undefined;
  /** There may be no room for all of it: then it is told when it is pointed at. */
  isCut?: boolean;
}

/** What the server has written, in the chosen language where that is known; then the original, which partners were told, is its title. */
export function ServerText({ text, className, isCut = false }: ServerTextProps) {
  const translate = useTranslate();
  const said = sayServerText(text, translate);
  const titles = [...(isCut ? [said.text] : []), ...(said.text === text ? [] : [text])];
  return (
    <span className={className} lang={said.language} title={titles.length > 0 ? titles.join('\n') : undefined}>
      {said.text}
    </span>
  );
}

/** The Chinese texts are fetched when one of them is first needed; until then it is English. */
function useTranslate() {
  const isChinese = useLanguage().language === 'zh-TW';
  const { data = null } = useQuery({
    queryKey: ['server-texts'],
    queryFn: async () => (await import('./server-texts-zh.ts')).translateServerText,
    enabled: isChinese,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isChinese ? data : null;
}
