import type { OperationOutput } from '../../../contract/operation.ts';
import { SNAPSHOT_LOG_OPERATIONS } from '../../../contract/operations/trials/snapshot-log.ts';
import { type Html, html } from '../html.ts';
import { apiCall, givenOf } from '../kit/address.ts';
import { pager } from '../kit/list-controls.ts';
import { record, shortId, table } from '../kit/parts.ts';
import { code, count, joined, list } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { versionLinked } from '../words/snapshots.ts';

const [getSnapshotLog] = SNAPSHOT_LOG_OPERATIONS;
type Log = OperationOutput<typeof getSnapshotLog>;
type Entry = Log['identities'][number];

const PATH = '/snapshots/log';
const PAGE_SIZE = 100;

/** The log of publications in readable form, and how to keep a checkpoint of it. */
export const logPage: Page = {
  id: 'page-snapshot-log',
  async respond({ reads, query, baseUrl }) {
    const given = { pageSize: PAGE_SIZE, ...givenOf(query, ['page']) };
    const { data, meta } = await reads.read(getSnapshotLog, given);
    const totalItems = meta.pagination?.totalItems ?? 0;
    return {
      main: html`<p>The log names every <a href="/snapshots">snapshot</a> that was ever published by its identity, in the order of publication. Nothing is ever taken out of it. A checkpoint states how many identities there are and the root of their Merkle tree. Whoever keeps one can check later that the log still continues it, so that no published snapshot was replaced or denied.</p>
<p><a href="/docs/log.md">Files, keys, and what to do where it does not fit</a>. The <a href="/verify">proof</a> of a trial names the entry of its snapshot.</p>
${head(data)}
<h2>Checkpoint</h2>
${data.checkpoint === null ? html`<p>There is none yet: nothing was published into the log.</p>` : html`<pre><code>${data.checkpoint}</code></pre>`}
<h2>Keys</h2>
${data.keys.length === 0 ? html`<p>None: no key ever signed this log.</p>` : list(data.keys.map(code))}
<h2 id="entries">Entries</h2>
${table(`Identities, oldest first; ${count(totalItems)} in all`, data.identities, [
  ['Place', ({ index }) => count(index), 'number'],
  ['Identity', ({ identity }) => shortId(identity)],
  ['Version', versionOf],
])}
${pager({
  path: PATH,
  query,
  paging: meta.pagination ?? { hasMore: false },
  shown: `${count(data.identities.length)} of ${count(totalItems)} identities`,
})}
${data.checkpoint !== null && keeping(data, baseUrl)}`,
      calls: [apiCall(getSnapshotLog, given)],
    };
  },
};

function head({ origin, size, root, signed, signedBy }: Log): Html {
  return record([
    ['Name of the log', origin === null ? 'none before the first checkpoint' : code(origin)],
    ['Identities under the checkpoint', count(size)],
    ['Root', root === null ? 'none' : code(root)],
    [
      'Signed',
      signed
        ? html`yes, by ${joined(signedBy.map(code))}`
        : 'no: an unsigned log notices accidents, and proves nothing about who wrote it',
    ],
  ]);
}

function versionOf({ version, state }: Entry): Html | string {
  if (version === null) return 'nothing of it is here';
  const link = versionLinked(version);
  return state === 'removed' ? html`${link}, removed; its manifest is kept` : link;
}

function keeping({ size }: Log, baseUrl: string): Html {
  return html`<h2>Keep a checkpoint, and check it later</h2>
<p>Keep this file, at best outside this service, with the public keys:</p>
<pre><code>curl -fsS '${baseUrl}${PATH}/checkpoint' -o checkpoint-${size}
curl -fsS '${baseUrl}${PATH}/keys' -o keys</code></pre>
<p>Later, the checkpoint over the first ${count(size)} identities must have the same size and root. Signatures may have been added to it:</p>
<pre><code>curl -fsS '${baseUrl}${PATH}/checkpoint/${size}' | head -n 3 | diff - &lt;(head -n 3 checkpoint-${size})</code></pre>
<p>The newest checkpoint must continue the one you kept. Its proof is in <code>consistency</code> of the first answer (RFC 9162, section 2.1.4). Or take all identities and compute both roots yourself: a leaf is <code>SHA-256(0x00 || the 32 bytes of an identity)</code>, and a node <code>SHA-256(0x01 || left || right)</code>.</p>
<pre><code>curl -fsS '${baseUrl}/api/v1${PATH}?from=${size}'
curl -fsS '${baseUrl}${PATH}/identities' -o identities</code></pre>
<p>One snapshot is shown to be in the log with its identity, by <code>inclusion</code> of this answer:</p>
<pre><code>curl -fsS '${baseUrl}/api/v1${PATH}?identity=IDENTITY'</code></pre>
<p>A checkpoint is a <a href="https://c2sp.org/signed-note">signed note</a> with the text of a <a href="https://c2sp.org/tlog-checkpoint">tlog-checkpoint</a>; its signatures are Ed25519. Keys that this service shows are only as good as this service: get them by another way where that matters.</p>`;
}
