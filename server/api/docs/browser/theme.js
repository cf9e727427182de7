// Runs before the page is drawn, so that the chosen colours are there from the beginning.
try {
  const chosen = window.localStorage.getItem('lading-docs-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that forbids storage shows the colours of the system.
}
document.documentElement.classList.add('scripted');
