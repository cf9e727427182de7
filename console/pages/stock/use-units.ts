import { useState } from 'react';

/** The units that a person types; what is wrong with them shows once one has tried, until the dialogue is left. */
export function useUnits(mistakeIn: (units: number) => string | null) {
  const [typed, setTyped] = useState<number | string>('');
  const [showsMistake, setShowsMistake] = useState(false);
  const units = typeof typed === 'number' ? typed : 0;
  const mistake = mistakeIn(units);
  return {
    units,
    field: { required: true, allowDecimal: false, value: typed, onChange: setTyped, error: showsMistake ? mistake : null },
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
