import { beforeAll, describe, expect, test } from 'vitest';
import { EVERY_CHANGE_AFTER, EVERY_CHANGE_BEFORE } from '../../test/builders/every-change.ts';
import { TestPublisher } from '../../test/support/snapshots/publisher.ts';
import { diff, type SnapshotDiff } from './diff.ts';
import { causeOf, renderDiffHtml, renderDiffText } from './render-text.ts';

let publisher: TestPublisher;
let snapshots: string;
let a: string;
let b: string;
let whole: SnapshotDiff;
beforeAll(async () => {
  publisher = await TestPublisher.of(EVERY_CHANGE_BEFORE);
  ({ snapshots } = publisher);
  a = (await publisher.publish()).version;
  b = (await publisher.publishNext(EVERY_CHANGE_AFTER, { accept: ['shrink:clinicaltrials_gov'] })).version;
  whole = await diff(snapshots, a, b, null);
  return () => publisher[Symbol.asyncDispose]();
});

describe('a diff of two snapshots', () => {
  test('has exact totals that add up, and names each trial, registration and link with fields, old and new values', () => {
    const sums = /"[0-9a-f]{64}"/g;
    expect(renderDiffText(whole).replaceAll(sums, 'HASH')).toBe(`from ${a} to ${b}

trials: 6 - 1 removed - 1 merged + 1 added + 1 split = 6; 3 changed
registrations: 7 - 1 removed + 1 added = 7; 1 changed
links: 3 - 1 lost + 1 gained = 3; 1 changed
signals: 0 - 0 lost + 0 gained = 0

trials added: 1
  wt_added0000000 "Title of NCT00000006" [NCT00000006]

trials removed: 1
  wt_removed00000 "Title of NCT00000003" [NCT00000003]

trials changed: 3
  wt_changed00000 "New title"
    title: "Old <b>title</b>" -> "New title"
    enrollment_count: 10 -> 20
    countries: [] -> ["Peru"]
    origins.countries: null -> "clinicaltrials_gov"
  wt_joins0000000 "Title of NCT00000004"
    aliases: [] -> ["wt_merges000000"]
    isrctn_id: null -> "ISRCTN00000004"
    registries: ["clinicaltrials_gov"] -> ["clinicaltrials_gov","isrctn"]
  wt_parts0000000 "Title of NCT00000005"
    isrctn_id: "ISRCTN00000005" -> null
    registries: ["clinicaltrials_gov","isrctn"] -> ["clinicaltrials_gov"]

trials merged: 1
  wt_merges000000 into wt_joins0000000, joined by ln_gained ISRCTN00000004 -> NCT00000004 by declared-by-isrctn

trials split: 1
  wt_split0000000 out of wt_parts0000000 [ISRCTN00000005]

registrations added: 1
  NCT00000006 "Title of NCT00000006"

registrations removed: 1
  NCT00000003 "Title of NCT00000003"

registrations changed: 1
  NCT00000002 "New title" (record changed)
    payload_sha256: HASH -> HASH
    title: "Old <b>title</b>" -> "New title"
    enrollment_count: 10 -> 20
    countries: [] -> ["Peru"]
    identifiers.secondaryIdInfos.id: ["nct NCT00000012","nct NCT00000013"] -> ["nct NCT00000013 (related)","nct NCT00000014"]

links gained: 1
  ln_gained ISRCTN00000004 -> NCT00000004 accepted by declared-by-isrctn

links lost: 1
  ln_lost ISRCTN00000005 -> NCT00000005 accepted by declared-by-isrctn

links changed: 1
  ln_turned ISRCTN00000001 -> NCT00000001 rejected by declared-by-isrctn
    verdict: "accepted" -> "rejected"
    reason: null -> "ambiguous"
`);
  });

  test('bounded lists keep exact totals, and the text says how many are left out', async () => {
    const bounded = await diff(snapshots, a, b, 1);
    expect(bounded.totals).toEqual(whole.totals);
    expect(bounded.trials.changed).toEqual(whole.trials.changed.slice(0, 1));
    expect(renderDiffText(bounded)).toContain('trials changed: 3\n  wt_changed00000 "New title"\n');
    expect(renderDiffText(bounded)).toContain('  … and 2 more\n');
  });

  test('the cause of a change tells a record that became superseded from one that is read differently', () => {
    const superseded = { field: 'superseded_by', old: null, new: 'NCT00000005' };
    const title = { field: 'title', old: 'a', new: 'b' };
    expect(causeOf({ payloadChanged: false, fields: [superseded] })).toBe('same record, now superseded by NCT00000005');
    expect(causeOf({ payloadChanged: false, fields: [{ ...superseded, new: null }] })).toContain(
      'no longer superseded',
    );
    expect(causeOf({ payloadChanged: false, fields: [title, superseded] })).toBe('same record, read differently');
    expect(causeOf({ payloadChanged: true, fields: [superseded] })).toBe('record changed');
  });

  test('the page stands alone, has no script and escapes what registries wrote', () => {
    const page = renderDiffHtml(whole);
    expect(page).toContain('Old &lt;b&gt;title&lt;/b&gt;');
    expect(page).not.toMatch(/<b>|<script|<link|src=|href=/);
    expect(page.match(/<h2>/g)).toHaveLength(11);
  });

  test('a snapshot differs from itself in nothing', async () => {
    expect(renderDiffHtml(await diff(snapshots, a, a))).toContain('Nothing differs.');
  });
});
