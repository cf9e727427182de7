/** Whether letters go into a field or a dialogue, and so are no shortcut. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  return (
    target !== null &&
    (target.isContentEditable ||
      target.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [role=dialog], [role=menu], [role=listbox]') !== null)
  );
}
