import { actorName } from '../../messages/actor-names.ts';
import { useLanguage } from './language.tsx';

/** Names the person or system that did something. */
export function useActorName(): (actor: string) => string {
  const { language } = useLanguage();
  return (actor) => actorName(actor, language);
}
