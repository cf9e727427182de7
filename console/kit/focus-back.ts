import { useEffect } from 'react';

/** For a dialog that is there only while it is open: when it goes, the focus returns to where it was, unless it has gone elsewhere by then. */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected) before.focus();
      });
    };
  }, []);
}
