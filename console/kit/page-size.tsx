interface PageSizeProps {
  widthMm: number;
  heightMm: number;
  marginMm: number;
  /** Prints `1 / 3` at the bottom of each page. */
  isNumbered?: boolean;
}

/** The size of the paper. It is no property of an element, so the style sheet is made here. */
export function PageSize({ widthMm, heightMm, marginMm, isNumbered = false }: PageSizeProps) {
  const nonce = window.document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.nonce ?? '';
  const number = isNumbered
    ? ' @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; }'
    : '';
  return <style nonce={nonce}>{`@page { size: ${widthMm}mm ${heightMm}mm; margin: ${marginMm}mm;${number} }`}</style>;
}
