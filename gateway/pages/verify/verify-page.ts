import { PROOF_MAX_BYTES } from '../../../contract/proof.ts';
import { html } from '../html.ts';
import type { Page } from '../page.ts';

/** Checks a proof bundle in the reader's browser. It is the same page for everybody and reads nothing. */
export const verifyPage: Page = {
  id: 'page-verify',
  respond() {
    return {
      main: html`<p>A proof is a small file, at most ${PROOF_MAX_BYTES / 1024} kB. It shows that a published snapshot held a trial, with its registrations, the hashes of their records, and its links. Every <a href="/trials">trial</a> has one to download.</p>
<p>This page checks it by itself, with the same code as <a href="/verify.mjs" download><code>verify.mjs</code></a>. Nothing that you give it leaves this browser; you can cut the network first. <a href="/docs/proofs.md">Every check, and the form of the file</a>.</p>
<noscript><p class="notice">Without script this page cannot check anything. In Node: <code>node verify.mjs proof.json</code>.</p></noscript>
<div id="verifier" hidden>
<p><label for="bundle-file">The file; it can also be dropped anywhere on this page</label>
<input type="file" id="bundle-file" accept=".json,application/json"></p>
<p><label for="bundle">Or its text</label>
<textarea id="bundle" rows="6" spellcheck="false" autocomplete="off"></textarea></p>
<details id="elsewhere"><summary>What you know from elsewhere</summary>
<p><label for="keys">Public keys that you trust, one a line</label>
<textarea id="keys" rows="2" spellcheck="false" autocomplete="off"></textarea></p>
<p><label for="identity">The identity that the snapshot must have</label>
<input type="text" id="identity" spellcheck="false" autocomplete="off"></p>
<p><label for="checkpoint">A checkpoint that you kept</label>
<textarea id="checkpoint" rows="3" spellcheck="false" autocomplete="off"></textarea></p>
</details>
<p><button type="button" id="check">Check</button></p>
</div>
<div id="verdict" role="status"></div>
<h2>What a proof does not show</h2>
<ul>
<li>That what a registry stated is true.</li>
<li>That the snapshot is the newest, or the one that is served: a proof of an older one holds for ever.</li>
<li>That there are no further links: one that was left out leaves no trace, and a trial of two registrations may come without the evidence that joins them.</li>
<li>By which changes the snapshot followed its parent, but for those of the trial, where the proof has them (<code>includeChanges=true</code>).</li>
<li>Who published, unless you give a key that you have from elsewhere: the keys in a proof are those of its maker. With nothing from elsewhere a proof is only consistent in itself.</li>
<li>That a registry sent these records, or when the snapshot was published.</li>
</ul>`,
      script: 'verify',
    };
  },
};
