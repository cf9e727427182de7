// The search: loads the index of this language on first use and looks through it in the browser.
import { rank } from './rank.js';

let dialog = null;
let index = null;

export function openSearch(indexUrl, words) {
  dialog ??= makeDialog(indexUrl, words);
  if (!dialog.open) dialog.showModal();
  dialog.querySelector('input').select();
}

async function loadIndex(url) {
  index ??= fetch(url).then((answer) => {
    if (!answer.ok) throw new Error(`the search index was answered with ${answer.status}`);
    return answer.json();
  });
  try {
    return await index;
  } catch (error) {
    // The next key press tries again.
    index = null;
    throw error;
  }
}

function makeDialog(indexUrl, words) {
  const made = document.createElement('dialog');
  made.className = 'search';
  made.setAttribute('aria-label', words.search);
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = words.searchHint;
  input.setAttribute('aria-label', words.searchHint);
  input.autocomplete = 'off';
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = words.close;
  close.addEventListener('click', () => made.close());
  // In a search field, the first Escape would only remove its text.
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    made.close();
  });
  const head = document.createElement('div');
  head.className = 'search-head';
  head.append(input, close);
  const status = document.createElement('p');
  status.className = 'note';
  status.setAttribute('role', 'status');
  const list = document.createElement('ul');
  made.append(head, status, list);
  document.body.append(made);

  const base = new URL(indexUrl, window.location.href).href.replace(/\/search\.json$/, '');
  let latest = 0;
  input.addEventListener('input', async () => {
    const mine = ++latest;
    const query = input.value;
    const found = rank(await loadIndex(indexUrl), query);
    if (mine !== latest) return;
    list.replaceChildren(...found.map((entry) => itemOf(entry, base, words)));
    status.textContent = query.trim() !== '' && found.length === 0 ? words.nothingFound : '';
  });
  made.addEventListener('keydown', (event) => moveFocus(event, input, list));
  made.addEventListener('click', (event) => {
    // A click beside the dialog, or on a result within the same page, closes it.
    if (event.target === made || event.target.closest('a')) made.close();
  });
  return made;
}

function itemOf({ kind, title, context, url, text }, base, words) {
  const link = document.createElement('a');
  link.href = `${base}${url}`;
  const label = document.createElement('small');
  label.textContent = [words.kinds[kind], context].filter(Boolean).join(' · ');
  const name = document.createElement(kind === 'field' || kind === 'error' ? 'code' : 'strong');
  name.textContent = title;
  const excerpt = document.createElement('span');
  excerpt.textContent = text.slice(0, 160);
  link.append(label, name, excerpt);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function moveFocus(event, input, list) {
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (event.key === 'ArrowUp') (at <= 0 ? input : links[at - 1]).focus();
  else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click();
  else return;
  event.preventDefault();
}
