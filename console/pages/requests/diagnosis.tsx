import type { RequestDetail } from '../../../contract/console/request-detail.ts';
import { useWords } from '../../kit/language.tsx';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { lowestRefusal } from './request-words.ts';
import classes from './requests.module.css';
import { words } from './words.ts';

/** What `lading doctor` says. */
export function Diagnosis({ detail: { line, diagnosis, explanation } }: { detail: RequestDetail }) {
  const say = useWords(words);
  const isRefused = line.status >= lowestRefusal;
  return (
    <Section title={say.diagnosis}>
      <div className={classes.said}>
        {diagnosis !== null && (
          <>
            <h3>{say.found}</h3>
            {diagnosis.length > 1 ? (
              <ul>
                {diagnosis.map((text) => (
                  <li key={text}>
                    <ServerText text={text} />
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
            <h3>{say.cure}</h3>
            <Said text={explanation.cure} />
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

function Said({ text }: { text: string }) {
  return (
    <p>
      <ServerText text={text} />
    </p>
  );
}
