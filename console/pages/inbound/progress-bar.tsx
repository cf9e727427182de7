import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import classes from './inbound.module.css';
import { words } from './words.ts';

export interface ProgressBarProps {
  announced: number;
  good: number;
  bad: number;
}

/** The received share of the announced units, as numbers and a bar. */
export function ProgressBar({ announced, good, bad }: ProgressBarProps) {
  const say = useWords(words);
  const share = (units: number) => `${Math.min(100, (100 * units) / Math.max(announced, good + bad, 1))}%`;
  return (
    <div className={classes.progress} title={bad > 0 ? say.defectiveUnits(formatNumber(bad)) : undefined}>
      <span className={classes.progressText}>{say.ofUnits(formatNumber(good + bad), formatNumber(announced))}</span>
      <span className={classes.bar} aria-hidden="true">
        <span className={classes.barGood} style={{ width: share(good) }} />
        <span className={classes.barBad} style={{ width: share(bad) }} />
      </span>
    </div>
  );
}
