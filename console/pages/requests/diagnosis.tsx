import type { RequestDetail } from '../../../contract/console/request-detail.ts';
import { useWords } from '../../kit/language.tsx';
import { Section } from '../../kit/section.tsx';
import { lowestRefusal } from './request-words.ts';
import classes from './requests.module.css';
import { words } from './words.ts';

/** What `lading doctor` says, in its own words: they are English, as the API's messages are. */
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
              <ul lang="en">
                {diagnosis.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            ) : (
              <p lang="en">{diagnosis[0]}</p>
            )}
          </>
        )}
        {explanation !== null && (
          <>
            <h3>{say.cause}</h3>
            <p lang="en">{explanation.cause}</p>
            <h3>{say.cure}</h3>
            <p lang="en">{explanation.cure}</p>
          </>
        )}
        {diagnosis === null && explanation === null && !isRefused && <p>{say.succeeded}</p>}
        {diagnosis === null && explanation === null && isRefused && line.reason === null && <p>{say.noReason}</p>}
        {diagnosis === null && explanation === null && isRefused && line.reason !== null && (
          <>
            <h3>{say.onlyReason}</h3>
            <p lang="en">{line.reason}</p>
          </>
        )}
      </div>
    </Section>
  );
}
