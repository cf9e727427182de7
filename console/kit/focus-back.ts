import { useEffect } from 'react';

/**
 * For a dialog that is mounted only while it is open: on unmount, the focus returns to the element that had it before,
 * unless it has moved elsewhere.
 */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected)
          before.focus();
      });
    };
  }, []);
}
