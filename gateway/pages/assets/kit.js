// Adds a button that copies to each command, id and hash. Without scripts they are selected and copied by hand.

const SHOWN_MS = 2000;

/** @param {Element} beside @param {string} text @param {boolean} isBlock */
function addButton(beside, text, isBlock) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Select and copy by hand';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, SHOWN_MS);
  });
  if (isBlock) beside.append(button);
  else beside.after(' ', button);
}

// An address that is not secure has no clipboard.
if (navigator.clipboard) {
  for (const code of document.querySelectorAll('code[data-copy]')) addButton(code, code.dataset.copy, false);
  for (const block of document.querySelectorAll('pre[data-copy-block]')) addButton(block, block.textContent, true);
}
