// Every page: copy buttons, tabs for programming languages, contents, colours, search. The texts are complete without it.
import { openSearch } from './search.js';

const tools = document.querySelector('.tools');
const words = JSON.parse(tools.dataset.words);
const wide = window.matchMedia('(min-width: 1200px)');
const notPhone = window.matchMedia('(min-width: 801px)');

addCopyButtons();
addTabs();
addTools();
openOnWide('.contents details', wide);
openOnWide('aside details', notPhone);
markCurrentSection();
showCurrentPage();

/** A browser that forbids storage forgets the choice. */
function recall(name) {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

function remember(name, value) {
  try {
    window.localStorage.setItem(name, value);
  } catch {
    // The choice then holds for this page only.
  }
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Browsers let a page copy only over https and on localhost. */
function addCopyButtons() {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll('.code')) {
    const button = element('button', { type: 'button', className: 'copy', textContent: words.copy });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = words.copied;
      setTimeout(() => {
        button.textContent = words.copy;
      }, 2000);
    });
    block.append(button);
  }
}

/** Groups of sections in several languages show one of them, the same on all pages. */
function addTabs() {
  const groups = [...document.querySelectorAll('.tabs')].map((group, number) => makeTabs(group, number));
  const chosen = recall('lading-docs-code');
  if (chosen) for (const group of groups) group.show(chosen);
  const showTarget = () => {
    const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
    const panel = target?.closest('.panel');
    if (!panel) return;
    for (const group of groups) if (group.has(panel)) group.show(panel.dataset.code);
    target.scrollIntoView();
  };
  window.addEventListener('hashchange', showTarget);
  showTarget();

  function choose(code) {
    remember('lading-docs-code', code);
    for (const group of groups) group.show(code);
  }

  function makeTabs(group, number) {
    const panels = [...group.querySelectorAll('.panel')];
    const tabs = panels.map((panel, index) => {
      const tab = element('button', { type: 'button', id: `tab-${number}-${index}`, textContent: panel.dataset.label });
      tab.setAttribute('role', 'tab');
      panel.id ||= `panel-${number}-${index}`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', tab.id);
      tab.setAttribute('aria-controls', panel.id);
      tab.addEventListener('click', () => {
        // The page keeps its place although the groups above may change their height.
        const before = tab.getBoundingClientRect().top;
        choose(panel.dataset.code);
        window.scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
      });
      return tab;
    });
    const list = element('div', { className: 'tab-list' }, ...tabs);
    list.setAttribute('role', 'tablist');
    list.setAttribute('aria-label', words.codeLanguage);
    list.addEventListener('keydown', ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
    group.prepend(list);
    const show = (code) => {
      const index = indexOf(panels, code);
      for (const [at, panel] of panels.entries()) {
        panel.hidden = at !== index;
        tabs[at].setAttribute('aria-selected', String(at === index));
        tabs[at].tabIndex = at === index ? 0 : -1;
      }
    };
    show(panels[0].dataset.code);
    return { show, has: (panel) => panels.includes(panel) };
  }
}

/** Not every group has every language; JavaScript and TypeScript stand for each other. */
function indexOf(panels, code) {
  const alike = { ts: 'js', js: 'ts' }[code];
  const exact = panels.findIndex(({ dataset }) => dataset.code === code);
  return Math.max(0, exact >= 0 ? exact : panels.findIndex(({ dataset }) => dataset.code === alike));
}

function addTools() {
  const search = element(
    'button',
    { type: 'button', className: 'search-open' },
    words.search,
    ' ',
    element('kbd', { textContent: '/' }),
  );
  search.addEventListener('click', () => openSearch(tools.dataset.search, words));
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest?.('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    search.click();
  });
  tools.prepend(search);

  const theme = element('select', { className: 'theme', title: words.theme });
  theme.setAttribute('aria-label', words.theme);
  for (const [value, label] of Object.entries(words.themes))
    theme.append(element('option', { value, textContent: label }));
  theme.value = document.documentElement.dataset.theme ?? 'system';
  theme.addEventListener('change', () => {
    remember('lading-docs-theme', theme.value);
    if (theme.value === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });
  tools.append(theme);
}

/** On wide screens the lists are always visible, on phones they can be opened. */
function openOnWide(selector, query) {
  const apply = () => {
    for (const fold of document.querySelectorAll(selector)) fold.open = query.matches;
  };
  apply();
  query.addEventListener('change', apply);
}

/** In a long list at the side, the current page may be outside the visible part. */
function showCurrentPage() {
  const list = document.querySelector('aside nav');
  const current = list?.querySelector('[aria-current]');
  if (current && list.scrollHeight > list.clientHeight)
    list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** Marks the section at the top of the window in the contents. */
function markCurrentSection() {
  const links = [...document.querySelectorAll('.contents a')];
  const targets = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  if (links.length === 0) return;
  let waiting = false;
  const mark = () => {
    waiting = false;
    const visible = targets.map((target) => target?.offsetParent !== null);
    const passed = targets.findLastIndex(
      (target, at) => visible[at] && target && target.getBoundingClientRect().top < 120,
    );
    const atEnd =
      window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 4 && window.scrollY > 0;
    const current = atEnd ? visible.lastIndexOf(true) : Math.max(0, passed);
    for (const [at, link] of links.entries()) {
      if (at === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  window.addEventListener(
    'scroll',
    () => {
      if (!waiting) window.requestAnimationFrame(mark);
      waiting = true;
    },
    { passive: true },
  );
  mark();
}
