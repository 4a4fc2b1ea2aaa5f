// Checks a proof bundle that is dropped, chosen or pasted, in this page and by itself: nothing is sent anywhere.

import { canVerify, keyLines, MAX_FILE_BYTES, Misuse, report, verifyBundle } from '/verify.mjs';

const byId = (id) => document.getElementById(id);
const verdict = byId('verdict');
const bundle = byId('bundle');
const chosen = byId('bundle-file');

/** Checks a bundle and says what was found. */
async function check(content) {
  say('Checking …', []);
  const keys = keyLines(byId('keys').value);
  const identity = byId('identity').value.trim().toLowerCase();
  const checkpoint = byId('checkpoint').value.trim();
  try {
    const result = await verifyBundle(content, {
      keys: keys.length === 0 ? null : keys,
      identity: identity === '' ? null : identity,
      checkpoint: checkpoint === '' ? null : `${checkpoint}\n`,
    });
    const [head, ...lines] = report(result);
    verdict.className = !result.ok ? 'fault' : result.proven.isOriginProven ? 'good' : '';
    // The fields of this page stand for the options of the command line.
    say(head, lines.map((line) => line.replace(/ \(--[a-z]+\)/g, '')));
    if (result.ok && !result.proven.isOriginProven) byId('elsewhere').open = true;
  } catch (error) {
    verdict.className = 'fault';
    const what = error instanceof Misuse ? `What you know from elsewhere (${error.what})` : 'The check itself failed';
    say('Nothing was checked.', [`${what}: ${error.message}`]);
  }
}

function say(head, lines) {
  const title = document.createElement('strong');
  title.textContent = head;
  const items = lines.map((line) => {
    const item = document.createElement('li');
    item.textContent = line.trim();
    return item;
  });
  const list = document.createElement('ul');
  list.append(...items);
  verdict.replaceChildren(title, ...(items.length === 0 ? [] : [list]));
}

async function checkFile(file) {
  // One byte more than a bundle may have is enough to refuse it; a large file would stop the page.
  const beginning = file.slice(0, MAX_FILE_BYTES + 1);
  bundle.value = file.size > MAX_FILE_BYTES ? '' : await file.text();
  await check(new Uint8Array(await beginning.arrayBuffer()));
}

if (canVerify) {
  chosen.addEventListener('change', () => chosen.files.length > 0 && checkFile(chosen.files[0]));
  byId('check').addEventListener('click', () => check(bundle.value));
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file !== undefined) checkFile(file);
  });
  byId('verifier').hidden = false;
  say('Nothing was checked yet.', []);
} else say('This browser cannot check here:', ['The page must come over https, or from your own machine.']);
