import classes from './code-block.module.css';

/** Shows preformatted text in a scrollable frame. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard.
    <section className={classes.frame} tabIndex={0} aria-label={label}>
      <pre className={classes.text}>{text}</pre>
    </section>
  );
}
