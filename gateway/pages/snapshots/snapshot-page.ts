import type { OperationOutput } from '../../../contract/operation.ts';
import { getSnapshot } from '../../../contract/operations/trials/snapshots.ts';
import { type Html, html } from '../html.ts';
import { figures, record, shortId, table } from '../kit/parts.ts';
import { code, count, dataOf, instant, joined, several } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { changesInWords, diffAddress, REGISTRY_NAMES, records, size, versionLinked } from '../words/snapshots.ts';

type Snapshot = OperationOutput<typeof getSnapshot>;
type Registry = Snapshot['registries'][number];
type File = Snapshot['manifest'] & { table: string };

/** Rows shown of one table; the manifest has all. */
const INPUT_ROWS = 25;
const FILE_ROWS = 120;

/** The manifest of one version in readable form, with every file to download. */
export const snapshotPage: Page = {
  id: 'page-snapshot',
  async respond({ reads, params, baseUrl }) {
    const { data } = await reads.read(getSnapshot, { version: params.version });
    return {
      title: `Snapshot ${data.version}`,
      main: html`${removal(data)}
${figures([
  ['distinct trials', count(data.counts.trials)],
  ['trials in both registries', count(data.counts.inBoth)],
  [data.state === 'removed' ? 'Parquet files, removed' : 'Parquet files', size(data.bytes)],
])}
${head(data)}
${counts(data)}
${registries(data)}
${inputs(data)}
${feeds(data)}
${gate(data)}
${tables(data)}
${files(data)}
${citation(data, baseUrl)}
${
  data.state === 'removed'
    ? html`<h2>Check it yourself</h2>
${identity(data)}`
    : verification(data, baseUrl)
}`,
      calls: [`/api/v1/snapshots/${data.version}`],
    };
  },
};

function removal({ state, removedAt }: Snapshot): Html | false {
  if (state === 'held') return false;
  const when = removedAt === null ? ', at a time that was not recorded' : html` on ${instant(removedAt)}`;
  return html`<p class="notice">This version was removed${when}. Its tables cannot be downloaded or compared any more. Its manifest is kept, so every figure below is as it was published. <a href="/snapshots">The versions that are held</a></p>`;
}

function head(data: Snapshot): Html {
  const parent = data.parent === null ? 'none: the first version' : versionLinked(data.parent);
  return record([
    ['Published', instant(data.publishedAt)],
    data.checkedAt !== null && ['Checked', html`on ${instant(data.checkedAt)}, unchanged since it was published`],
    ['Served now', data.current ? 'yes' : html`no; <a href="/snapshots/current">see the version that is served</a>`],
    ['Parent', parent],
    ['Corpus', data.corpus === 'sample' ? 'synthetic sample: no record of it is a real trial' : 'the registries'],
    ['As of', `${data.asOf}: statuses are derived from dates, and windows and overdue clocks count, to this day`],
    ['Identity', data.identity === null ? 'none: a version of an older format' : shortId(data.identity)],
    ['Signed', signedWords(data)],
    ['Content hash', shortId(data.contentHash)],
    ['SHA-256 of the manifest', shortId(data.manifest.sha256)],
    ['Code', html`<code>${data.codeVersion}</code>, layout ${data.formatVersion}`],
    ['Serving image', `${size(data.servingBytes)}, layout ${data.serving.imageVersion}; made from the Parquet files`],
  ]);
}

function signedWords({ signed, identity }: Snapshot): Html | string {
  if (identity === null) return 'no: a version without an identity is not in the log of publications';
  const log = html`<a href="/snapshots/log">log of publications</a>`;
  return signed
    ? html`yes: the operator signed a checkpoint of the ${log} that holds it`
    : html`no: no checkpoint of the ${log} that holds it has the operator's signature`;
}

function counts({ counts: held, changes, parent, version, state }: Snapshot): Html {
  const words = changesInWords(changes);
  const compared =
    parent === null || state === 'removed' ? words : html`<a href="${diffAddress(parent, version)}">${words}</a>`;
  return html`<h2>Counts</h2>
${record([
  ['Distinct trials', count(held.trials)],
  ['In both registries', count(held.inBoth)],
  ['Links accepted', count(held.linksAccepted)],
  ['Links rejected', count(held.linksRejected)],
  ['Links in conflict', count(held.conflicts)],
  ['References to records that are not held', count(held.unresolved)],
  ['Trials against the parent', compared],
])}`;
}

function registries(data: Snapshot): Html {
  return html`<h2>Registries</h2>
${table('Each registry as it stood at publication', data.registries, [
  ['Registry', ({ registry }) => REGISTRY_NAMES[registry]],
  ['Records', ({ registrations }) => records(registrations), 'number'],
  ['Records it reports', ({ expectedRecords }) => count(expectedRecords), 'number'],
  ['Unreadable', ({ quarantined }) => records(quarantined), 'number'],
  ['Superseded', ({ superseded }) => records(superseded), 'number'],
  ['Data of', ({ dataDay, dumpDay, source }) => dataOf(dataDay, source === 'dump' ? dumpDay : undefined)],
  ['Last success', ({ lastSuccessAt }) => instant(lastSuccessAt)],
  ['Standing', standing],
])}
<p class="soft">Do not add these numbers: the sum counts trials that are in both registries twice.</p>`;
}

function standing({ state, dataDay, complete, degraded, degradedReason, source }: Registry): string {
  if (state === 'unanswered') return 'did not answer: nothing is known of it';
  const words = [
    complete ? 'complete' : 'not complete',
    state === 'kept' && `kept: its last good set, of ${dataDay}`,
    degraded && 'degraded',
  ];
  const from = source === null ? '' : `; read from ${source === 'live' ? 'the registry itself' : `a ${source}`}`;
  return `${words.filter(Boolean).join(', ')}${from}${degradedReason === null ? '' : `; ${degradedReason}`}`;
}

function inputs({ registries: all }: Snapshot): Html {
  return html`<h2>Inputs</h2>
${all.map((registry) => {
  const rest = registry.inputs.length - INPUT_ROWS;
  const name = REGISTRY_NAMES[registry.registry];
  if (registry.inputs.length === 0) return html`<p>${name}: none was read.</p>`;
  return html`<details><summary>Read from ${name}: ${filesWords(registry.inputs)}</summary>
${table(`Read from ${name}, as received`, registry.inputs.slice(0, INPUT_ROWS), [
  ['Name', (input) => code(input.name)],
  ['Received', ({ receivedAt }) => instant(receivedAt)],
  ['Records', (input) => count(input.records), 'number'],
  ['From', ({ url, origin }) => (url === null ? origin : html`<bdi>${url}</bdi>`)],
  ['SHA-256', ({ sha256 }) => shortId(sha256)],
])}${moreInManifest(rest)}</details>`;
})}`;
}

function moreInManifest(rest: number): Html | false {
  return rest > 0 && html`<p>And ${count(rest)} more, which the manifest lists.</p>`;
}

function feeds({ feeds: all }: Snapshot): Html | false {
  if (all === null) return false;
  return html`<h2>Feeds</h2>
<details><summary>${count(all.length)} feeds, ${count(all.filter(({ items }) => items !== null).length)} with an answer</summary>${table(
    'Each feed as it stood at publication',
    all,
    [
      ['Feed', ({ feed }) => code(feed)],
      ['Publisher', ({ publisher }) => publisher],
      ['Items', ({ items }) => records(items), 'number'],
      ['Last success', ({ lastSuccessAt }) => instant(lastSuccessAt)],
      [
        'Standing',
        ({ stale, reason }) => (stale ? `from an older answer; ${reason ?? 'no reason given'}` : (reason ?? 'read')),
      ],
    ],
  )}</details>`;
}

function gate({ accepted, rules }: Snapshot): Html {
  return html`<h2>Rules and gate</h2>
${record([
  ['Rules of deduplication', html`${rules.id}, ${count(rules.count)} rules, SHA-256 ${shortId(rules.sha256)}`],
  [
    'Publication gate',
    accepted.length === 0
      ? 'passed; no breach was accepted'
      : html`breaches that the operator accepted by name: ${joined(accepted.map(code))}`,
  ],
])}`;
}

function tables(data: Snapshot): Html {
  return html`<h2>Tables</h2>
<details><summary>${count(data.tables.length)} tables, ${size(data.bytes)}</summary>${table(
    'Rows and root of each table',
    data.tables,
    [
      ['Table', (one) => code(one.table)],
      ['Rows', ({ rows }) => count(rows), 'number'],
      ['Size', ({ bytes }) => size(bytes), 'number'],
      ['Root', ({ root }) => shortId(root)],
    ],
  )}</details>`;
}

function files(data: Snapshot): Html {
  const all: File[] = [
    ...data.files.map((file) => ({ ...file, table: 'The version itself' })),
    ...data.tables.flatMap((one) => one.files.map((file) => ({ ...file, table: one.table }))),
    ...data.serving.files.map((file) => ({ ...file, table: 'The serving image' })),
  ];
  const groups = Map.groupBy(all, (file) => file.table);
  return html`<h2 id="files">Files to download</h2>
<p>What each column means: <a href="/dictionary">data dictionary</a>. ${all.some(({ path }) => path.startsWith('proofs/')) && html`<code>proofs/*.tree</code>: the Merkle trees from which a row of a table is proven.`} ${all.some(({ path }) => path.endsWith('payloads.index')) && html`<code>payloads.index</code>: where the payload of each registration is in the files of <code>raw/</code>.`} ${all.some(({ path }) => path === 'superseded.parquet') && html`<code>superseded.parquet</code>: places in these files that hold no current payload.`}</p>
${data.state === 'removed' ? html`<p>What is kept; the addresses are permanent.</p>` : html`<p>Every file with its SHA-256; the addresses are permanent.</p>`}
${[...groups].map(([name, files]) => fileGroup(name, files, data.version))}`;
}

/** The files of one table, folded: a version has dozens. */
function fileGroup(name: string, files: readonly File[], version: string): Html {
  return html`<details><summary>${name}: ${filesWords(files)}, ${size(files.reduce((sum, { bytes }) => sum + bytes, 0))}</summary>
${table(html`<span class="unseen">${name}</span>`, files.slice(0, FILE_ROWS), [
  ['File', ({ path }) => html`<a href="/snapshots/${version}/files/${path}" download>${path}</a>`],
  ['Size', ({ bytes }) => size(bytes), 'number'],
  ['SHA-256', ({ sha256 }) => shortId(sha256)],
])}${moreInManifest(files.length - FILE_ROWS)}</details>
`;
}

const filesWords = (files: readonly unknown[]): string => several(files.length, 'file', 'files');

function citation({ version, asOf, corpus, identity }: Snapshot, baseUrl: string): Html {
  const what =
    corpus === 'sample' ? 'synthetic sample of trial registrations' : 'index of clinical trial registrations';
  const named = identity === null ? '' : `, identity sha256:${identity}`;
  return html`<h2>How to cite</h2>
<p>The trial-board contributors: ${what}, as of ${asOf}, version ${version}${named}, ${baseUrl}/snapshots/${version}</p>`;
}

/** Of a removed version every other hash can only be read. */
function identity({ manifest: { sha256, url } }: Snapshot): Html {
  return html`<p>The manifest binds everything that this version serves; its hash is the identity, <code>${sha256}</code>:</p>
<pre><code>curl -fsS '${url}' | sha256sum</code></pre>`;
}

function verification(data: Snapshot, baseUrl: string): Html {
  const { version } = data;
  return html`<h2>Check it yourself</h2>
<p>This program downloads the version, goes on after an interruption, and checks every hash, root and signature; <code>--tables-only</code> leaves the serving image out.</p>
<pre><code>npm run pipeline -- pull ${baseUrl} --version ${version} --into snapshots</code></pre>
${withoutProgram(`${baseUrl}/snapshots/${version}/files`)}
${identity(data)}
<p>One trial is proven by a small file, which its page offers; <a href="/verify">verify it</a> here or with <code>verify.mjs</code>.</p>
<p>If you have the version on disk, this program also recomputes the roots, the identity and the content hash. <a href="/snapshots#integrity">What each hash covers</a>.</p>
<pre><code>npm run pipeline -- verify ${version}</code></pre>`;
}

function withoutProgram(address: string): Html {
  return html`<details><summary>Without this program</summary>
<p>In an empty folder. Where the service asks to wait (429), <code>--retry</code> waits as long as it says:</p>
<pre><code>curl -fsSO '${address}/files.json'
jq -r '.. | objects | select(.path) | "\\(.sha256)  \\(.path)"' files.json &gt; sums
cut -c 67- sums | xargs -I '{}' curl -fsS --retry 9 --create-dirs -o '{}' '${address}/{}'
sha256sum -c sums</code></pre></details>`;
}
