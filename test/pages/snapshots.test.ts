import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf } from '../../gateway/pages/snapshots/diff-entries.ts';
import { type RunRecords, type RunRow, runsOf } from '../../snapshot/format/versions/run-log.ts';
import { runLines } from '../builders/run-log.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';
import { plainTables } from '../support/plain/plain-tables.ts';
import { gatewayPage } from '../support/read-page.ts';
import { type TwoVersions, twoVersions } from '../support/two-versions.ts';

let versions: TwoVersions;
let gateway: TestGateway;
beforeAll(async () => {
  versions = await twoVersions();
  gateway = await openGateway(versions.snapshotsDir);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await versions[Symbol.asyncDispose]();
});

const CHECK = { name: 'shrink:isrctn', figure: 0.5, affected: 110, limit: 0.02, verdict: 'refused' } as const;
/** A record of one refused run. */
const [REFUSED, ...MORE] = runsOf(
  runLines({
    day: 0,
    end: {
      code: 'REFUSED',
      exitCode: 4,
      message: 'not published:\n<b> in /home/ann/dump.xml\nthe main cause',
      gate: { checks: [CHECK], accepted: [], reason: null },
    },
  }),
) as [RunRow, ...RunRow[]];
const RECORDS: RunRecords = { runs: [REFUSED, ...MORE], unreadableLines: 0, cut: false, fingerprint: 'one' };

async function page(path: string) {
  const { status, headers, text } = await gatewayPage(gateway, path);
  return { status, headers, text: plainTables(text) };
}

/** Pages that are read while a part of the index has other methods. */
async function pagesWith<Part extends object>(part: Part, change: Partial<Part>, ...paths: string[]) {
  const before = Object.fromEntries(Object.keys(change).map((name) => [name, part[name as keyof Part]]));
  Object.assign(part, change);
  const pages = [];
  for (const path of paths) pages.push(await page(path));
  Object.assign(part, before);
  return pages;
}

const diffPath = (more = '') => `/snapshots/diff?from=${versions.older}&to=${versions.newer}${more}`;

/** The markup of a section's entries, to read what is in the cells. */
function cellsOf(...section: Parameters<typeof entriesOf>): string {
  return plainTables(entriesOf(...section).text);
}

it('/snapshots that cannot be read is a failure, not an empty list', async () => {
  const change = { versions: () => Promise.reject(new Error('the disk is gone')) };
  const [page] = await pagesWith(gateway.index.versionList, change, '/snapshots');
  expect([page!.status, page!.text]).toEqual([503, expect.stringContaining('TRIALS_UNAVAILABLE')]);
  expect(page!.text).not.toContain('the disk is gone');
});

describe('/snapshots/{version}', () => {
  it('shows the hash of the manifest, of each input, table and file, and a link to every file', async () => {
    const { status, text } = await page(`/snapshots/${versions.newer}`);
    const { body } = await gateway.get(`/api/v1/snapshots/${versions.newer}`);
    expect(status).toBe(200);
    for (const { root, files } of body.data.tables) {
      expect(text).toContain(`title="${root}"`);
      for (const { path, sha256 } of files) {
        expect(text).toContain(`<a href="/snapshots/${versions.newer}/files/${path}" download>${path}</a>`);
        expect(text).toContain(`title="${sha256}"`);
      }
    }
    expect(text).toContain(`<code>${body.data.manifest.sha256}</code>`);
    expect(text).toContain(`title="${body.data.registries[0].inputs[0].sha256}"`);
    // Without it the read limit ends the recipe halfway.
    expect(text).toContain(" | xargs -I '{}' curl -fsS --retry 9 --create-dirs -o ");
  });

  it('of a version that is not held is a 404 that names what there is', async () => {
    const { status, text } = await page('/snapshots/20200101T000000Z-00000000');
    expect(status).toBe(404);
    expect(text).toContain(`Held are ${versions.newer}, ${versions.older}.`);
    expect((await page('/snapshots/newest')).status).toBe(400);
  });
});

describe('/snapshots/diff', () => {
  it('narrows by filters whose address is permanent, and says when they leave nothing', async () => {
    const { text } = await page(diffPath('&kind=registrations-added&registry=isrctn&q=ISRCTN&field=&page='));
    expect(text).toContain('<h2 id="entries">Registrations added</h2>');
    expect(text).toContain(
      `/api/v1/snapshots/${versions.older}/diff/${versions.newer}?kind=registrations-added&amp;registry=isrctn&amp;q=ISRCTN&amp;pageSize=25`,
    );
    const none = await page(diffPath('&q=no-such-id'));
    expect(none.text).toMatch(/None of the \d+ has what the filters ask for\./);
  });

  it('says at its field what is not usable', async () => {
    const { status, text } = await page(diffPath('&kind=trials-added&field=title'));
    expect(status).toBe(400);
    expect(text).toContain('Entries of trials-added have no fields.');
    expect(text).toContain(`${diffPath('&kind=trials-added').replaceAll('&', '&amp;')}">Show the whole list</a>`);
    expect((await page(diffPath('&registry=moon'))).text).toContain('aria-describedby="diff-registry-fault"');
  });

  it('that is not finished yet says so and asks again by itself without script', async () => {
    const unfinished = { read: async () => ({ state: 'unfinished' as const }) };
    const [waiting] = await pagesWith(gateway.index.comparisons, unfinished, diffPath());
    const { status, headers, text } = waiting!;
    expect([status, headers.get('refresh'), headers.get('retry-after')]).toEqual([503, '2', '2']);
    expect(text).toContain('Nothing failed: it goes on');
    expect(text).toContain(`<a href="${diffPath().replace('&', '&amp;')}">ask again now</a>`);
  });

  it('escapes what addresses and registries write', async () => {
    const { status, text } = await page(`/snapshots/diff?from=${encodeURIComponent(`"><script>'`)}&to=x&q=%3Cb%3E`);
    expect(status).toBe(400);
    expect(text).not.toContain('<script>');
    expect(text).not.toContain('<b>');
    expect(text).not.toMatch(/curl &#39;[^\n]*&#39;[^<]/);
    const fields = [{ field: 'title', old: null, new: `<i>${'x'.repeat(500)}` }];
    const holders = new Map([['wt_a', { canonicalId: 'wt_b', title: null, registrations: ['NCT00000001'] }]]);
    const shown = cellsOf('trials-changed', [{ canonicalId: 'wt_a', title: '<i>T</i>', fields }], holders);
    expect(shown).toContain('&lt;i&gt;T&lt;/i&gt;');
    expect(shown).toContain('Title <span class="soft">nothing before, 503 characters after</span>');
    expect(shown).toContain('<a href="/trials/wt_b">NCT00000001</a>');
  });
});

describe('entries', () => {
  const holders = new Map([
    ['wt_into', { canonicalId: 'wt_into', title: 'Kept', registrations: ['NCT1'] }],
    ['wt_gone', { canonicalId: null, title: null, registrations: [] }],
    ['NCT1', { canonicalId: 'wt_into', title: 'Kept', registrations: ['NCT1'] }],
  ]);

  it('that merged, split or are links lead to what holds them today', () => {
    const merged = cellsOf('trials-merged', [{ canonicalId: 'wt_gone', into: 'wt_into' }], holders);
    expect(merged).toContain('<a href="/trials/wt_into">NCT1</a>');
    const split = { canonicalId: 'wt_into', title: null, registrations: ['NCT1'], outOf: ['wt_old'] };
    const gone = '<td>wt_old <span class="soft">no longer held</span></td>';
    expect(cellsOf('trials-split', [split], holders)).toContain(gone);

    const link = { linkId: 'ln_1', from: 'NCT1', to: 'ISRCTN1', kind: 'k', rule: 'r', verdict: 'accepted' };
    const links = cellsOf('links-gained', [link], holders);
    expect(links).toContain('<a href="/trials/wt_into">NCT1</a>');
    expect(links).toContain('ISRCTN1 <span class="soft">no longer held</span>');
  });
});

describe('/snapshots/runs', () => {
  it('shows the outcome in words and leads to the run, its checks and the version that it serves', async () => {
    const paths = ['/snapshots/runs', `/snapshots/runs/${REFUSED.run}`] as const;
    const [list, one] = await pagesWith(gateway.index.runLog, { read: async () => RECORDS }, ...paths);
    expect(list!.text).toContain(`<h3><a href="${paths[1]}">Refused by the publication gate</a></h3>`);
    expect(list!.text).toContain('Checks: 1 refused, 0 passed');
    expect(list!.text).toContain('not published:<br>&lt;b&gt; in dump.xml<br>the main cause</p>');
    expect(list!.text).toContain('?outcome=SOURCE_FAILED">Failed: a source could not be read</a>');
    expect(one!.text).toContain('run again with the <code>--accept</code> that the message ends with');
    expect(one!.text).toContain('<dd>0.5, limit 0.02; 110 records</dd>');
    expect(one!.text).not.toContain('/home');
  });

  it('says that no run is recorded where there is no record, and fails where it cannot be read', async () => {
    const { runLog } = gateway.index;
    const [none] = await pagesWith(runLog, { read: async () => null }, '/snapshots/runs');
    expect([none!.status, none!.text]).toEqual([200, expect.stringContaining('No run is recorded here')]);
    const broken = { read: () => Promise.reject(new Error('EIO /secret')) };
    const [failed] = await pagesWith(runLog, broken, '/snapshots/runs');
    expect([failed!.status, failed!.text]).toEqual([503, expect.stringContaining('TRIALS_UNAVAILABLE')]);
    expect(failed!.text).not.toContain('/secret');
  });
});
