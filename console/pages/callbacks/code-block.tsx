import classes from './code-block.module.css';

/** Text to the letter, in a frame of its own that scrolls. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={classes.frame} tabIndex={0} aria-label={label}>
      <pre className={classes.text}>{text}</pre>
    </section>
  );
}
