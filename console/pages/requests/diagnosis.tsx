import type { RequestDetail } from '../../../contract/console/requests.ts';
import { explainError, type Message } from '../../../messages/message.ts';
import { useWords } from '../../kit/language.tsx';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { lowestRefusal } from './request-words.ts';
import classes from './requests.module.css';
import { words } from './words.ts';

/** The diagnosis of `lading doctor`. */
export function Diagnosis({ detail: { line, diagnosis, error } }: { detail: RequestDetail }) {
  const say = useWords(words);
  const explanation = error === null ? null : explainError(error);
  const isRefused = line.status >= lowestRefusal;
  return (
    <Section title={say.diagnosis}>
      <div className={classes.said}>
        {diagnosis !== null && (
          <>
            <h3>{say.found}</h3>
            {diagnosis.length > 1 ? (
              <ul>
                {diagnosis.map((message) => (
                  <li key={JSON.stringify(message)}>
                    <ServerText text={message} />
                  </li>
                ))}
              </ul>
            ) : (
              <Said text={diagnosis[0]!} />
            )}
          </>
        )}
        {explanation !== null && (
          <>
            <h3>{say.cause}</h3>
            <Said text={explanation.cause} />
            <h3>{say.fix}</h3>
            <Said text={explanation.fix} />
          </>
        )}
        {diagnosis === null && explanation === null && !isRefused && <p>{say.succeeded}</p>}
        {diagnosis === null && explanation === null && isRefused && line.reason === null && <p>{say.noReason}</p>}
        {diagnosis === null && explanation === null && isRefused && line.reason !== null && (
          <>
            <h3>{say.onlyReason}</h3>
            <Said text={line.reason} />
          </>
        )}
      </div>
    </Section>
  );
}

function Said({ text }: { text: Message | string }) {
  return (
    <p>
      <ServerText text={text} />
    </p>
  );
}
