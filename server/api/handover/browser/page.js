// The code is in the fragment of the address, which the browser does not send. The form sends it after a click.
const code = location.hash.slice(1);
const field = document.querySelector('#code');
if (field !== null && code !== '') {
  field.value = code;
  document.querySelector('#typed').hidden = true;
}
for (const link of document.querySelectorAll('.language')) if (code !== '') link.href += `#${code}`;

for (const button of document.querySelectorAll('.copy')) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    button.textContent = button.dataset.copied;
  });
}
