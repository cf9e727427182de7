/** Whether a key press goes to a field or a dialog and is therefore not a shortcut. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  return (
    target !== null &&
    (target.isContentEditable ||
      target.closest(
        'input:not([type=checkbox]):not([type=radio]), textarea, select, [role=dialog], [role=menu], [role=listbox]',
      ) !== null)
  );
}
