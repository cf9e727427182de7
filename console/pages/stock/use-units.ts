import { useState } from 'react';

/** The typed units. Mistakes are shown from the first attempt to confirm until the dialog is closed. */
export function useUnits(mistakeIn: (units: number) => string | null) {
  const [typed, setTyped] = useState<number | string>('');
  const [showsMistake, setShowsMistake] = useState(false);
  const units = typeof typed === 'number' ? typed : 0;
  const mistake = mistakeIn(units);
  return {
    units,
    field: {
      required: true,
      allowDecimal: false,
      value: typed,
      onChange: setTyped,
      error: showsMistake ? mistake : null,
    },
    check() {
      setShowsMistake(mistake !== null);
      return mistake === null;
    },
    forget() {
      setTyped('');
      setShowsMistake(false);
    },
  };
}
