import { useEffect, useState } from 'react';

/** Loaded on demand: the library is larger than the rest of the page. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let isGone = false;
    void import('bwip-js/browser').then(({ drawingSVG, qrcode }) => {
      // Dark on light with a margin, also in dark mode: cameras need it.
      const svg = qrcode({ bcid: 'qrcode', text, scale: 4, padding: 8, backgroundcolor: 'FFFFFF' }, drawingSVG());
      if (!isGone) setUrl(`data:image/svg+xml,${encodeURIComponent(svg)}`);
    });
    return () => {
      isGone = true;
    };
  }, [text]);
  return (
    <div style={{ width: 208, height: 208 }}>
      {url !== null && <img src={url} width={208} height={208} alt={label} />}
    </div>
  );
}
