import type { OperationOutput } from '../../../contract/operation.ts';
import { getSnapshots } from '../../../contract/operations/trials/snapshots.ts';
import { type Html, html } from '../html.ts';
import { apiCall, givenOf } from '../kit/address.ts';
import { smallChart } from '../kit/chart.ts';
import { pager } from '../kit/list-controls.ts';
import { type Column, table } from '../kit/parts.ts';
import { code, count, instant, joined } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { growthPicture } from '../pictures/growth.ts';
import { changesInWords, diffAddress, REGISTRY_NAMES, records, size } from '../words/snapshots.ts';
import { compareForm } from './compare-form.ts';

type Summary = OperationOutput<typeof getSnapshots>['snapshots'][number];

const PATH = '/snapshots';
const PAGE_SIZE = 50;

/** Every stored version, how the index grew, and how to verify a version. */
export const snapshotsPage: Page = {
  id: 'page-snapshots',
  async respond({ reads, query }) {
    const given = { pageSize: PAGE_SIZE, ...givenOf(query, ['page']) };
    const { data, meta } = await reads.read(getSnapshots, given);
    const { snapshots, unreadable, current } = data;
    const totalItems = meta.pagination?.totalItems ?? 0;
    return {
      main: html`<p>A snapshot is one published version of the whole index. It never changes; new data make a new version. Every number on this site comes from one snapshot, which is named at the foot of each page. <a href="/snapshots/runs">The runs</a> that made them, and those that were refused or failed, are recorded, and <a href="/snapshots/log">the log of publications</a> names every version that was ever published.</p>
<h2>Growth</h2>
${growthPictures(snapshots)}
<h2>Compare two versions</h2>
${compareForm({ versions: snapshots.map(({ version }) => version), given: {}, fault: null })}
<h2>Versions</h2>
${table(`Versions, newest first; ${count(totalItems)} in all`, snapshots, COLUMNS)}
<p class="soft">The registries' records describe overlapping sets of trials, so never add them; <em>trials</em> counts each trial once.</p>
${unreadable.length > 0 && notShown(unreadable)}
${pager({
  path: PATH,
  query,
  paging: meta.pagination ?? { hasMore: false },
  shown: `${count(snapshots.length + unreadable.length)} of ${count(totalItems)} versions`,
})}
${integrity(current)}`,
      calls: [apiCall(getSnapshots, given)],
    };
  },
};

const COLUMNS: readonly Column<Summary>[] = [
  [
    'Version',
    ({ version, current }) =>
      html`<a href="${PATH}/${version}"><code>${version}</code></a>${current && html` <strong>served now</strong>`}`,
  ],
  [
    'Published',
    ({ publishedAt, checkedAt }) =>
      html`${instant(publishedAt)}${checkedAt !== null && html`<br>checked on ${instant(checkedAt)}, unchanged since`}`,
  ],
  ['Trials', ({ counts }) => count(counts.trials), 'number'],
  ['In both registries', ({ counts }) => count(counts.inBoth), 'number'],
  [
    'Records of each registry',
    ({ registries }) =>
      joined(
        registries.map(({ registry, registrations }) => `${REGISTRY_NAMES[registry]}: ${records(registrations)}`),
        html`<br>`,
      ),
  ],
  [
    'Trials against the parent',
    ({ version, parent, changes }) =>
      parent === null
        ? 'the first version'
        : html`<a href="${diffAddress(parent, version)}">${changesInWords(changes)}</a>`,
  ],
  ['Parquet files', ({ bytes }) => size(bytes), 'number'],
  ['Corpus', ({ corpus, asOf }) => `${corpus === 'sample' ? 'synthetic sample' : corpus}, as of ${asOf}`],
];

function notShown(unreadable: readonly { version: string; reason: string }[]): Html {
  return html`<p class="notice">Stored, but not readable by this program: ${joined(
    unreadable.map(({ version, reason }) => html`${code(version)} (${reason})`),
  )}.</p>`;
}

function integrity(current: string | null): Html {
  return html`<h2 id="integrity">Integrity: what each hash covers</h2>
<dl>
<dt>SHA-256 of a file</dt><dd>Its bytes. Stands in the manifest, beside each download, and in the headers <code>ETag</code> and <code>Repr-Digest</code> of the download.</dd>
<dt>Root of a table</dt><dd>The values of all its rows in key order, without run times. Two tables with the same values have the same one, however Parquet packed them.</dd>
<dt>Identity</dt><dd>The SHA-256 of <code>manifest.json</code>: the roots of all tables, the files of the serving image, the inputs, the rules and the terminology, the code, the canonical ids that the run began with, and the identity of the parent. Keep this one number to prove later what was published. Its first eight digits end the name of the version; equal inputs, rules, code and parent give an equal identity anywhere.</dd>
<dt>Content hash</dt><dd>The roots of all tables, the rules, the as-of day and the corpus: equal where the content is.</dd>
<dt>SHA-256 of the manifest</dt><dd>The manifest with its times and names, which the identity leaves out.</dd>
<dt>SHA-256 of an input</dt><dd>The bytes as the registry sent them, before anything was read out of them.</dd>
</dl>
<h3>Check it yourself</h3>
<p>To check a downloaded file against the hash beside its link:</p>
<pre><code>sha256sum trials.parquet</code></pre>
<p>To check a whole version with this program, which recomputes every hash from the bytes and the values and names each difference:</p>
<pre><code>npm run pipeline -- verify ${current ?? 'VERSION'}</code></pre>
<p>To compare two versions in full with this program:</p>
<pre><code>npm run pipeline -- diff FROM TO --json</code></pre>`;
}

/** Growth of trials and bytes over the versions, oldest first; the table below has the same numbers. */
function growthPictures(newestFirst: readonly Summary[]): Html | false {
  if (newestFirst.length === 0) return false;
  const drawn = (['versions-trials', 'versions-bytes'] as const).map((name) => {
    const picture = growthPicture(name, newestFirst);
    return smallChart({ picture, caption: picture.title });
  });
  return html`<div class="pictures">${drawn}</div>`;
}
