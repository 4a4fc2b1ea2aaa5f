import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readManifest } from '../../snapshot/format/versions/current.ts';
import { compareTable, trialTotals } from '../../snapshot/sql/compare.ts';
import {
  buildTestImage,
  type CorpusSpec,
  fillWorkingDatabase,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  type TrialSpec,
  temporaryDirectory,
} from '../../test/builders/working-database.ts';
import { anyCorpus, writeWideTables } from '../../test/builders/worlds.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import { publish } from '../publish/publish.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import { diff, diffJson, type SnapshotDiff } from './diff.ts';
import { renderDiffHtml } from './render-html.ts';
import { causeOf, renderDiffText } from './render-text.ts';

const nct = (n: number) => `NCT0000000${n}`;
const isrctn = (n: number) => `ISRCTN0000000${n}`;

/** A number that the changed registration states. */
const stated = (value: string, role: string) => ({
  ...{ registry: 'clinicaltrials_gov', registration_id: nct(2), type: 'nct', value, role },
  ...{ field: 'secondaryIdInfos.id', raw_value: value, suspect: false, in_index: false },
});

const before: CorpusSpec = {
  trials: [
    { canonicalId: 'wt_same00000000', members: [{ id: nct(1) }] },
    { canonicalId: 'wt_changed00000', members: [{ id: nct(2), title: 'Old <b>title</b>', enrollment_count: 10 }] },
    { canonicalId: 'wt_removed00000', members: [{ id: nct(3) }] },
    { canonicalId: 'wt_joins0000000', members: [{ id: nct(4) }] },
    { canonicalId: 'wt_merges000000', members: [{ id: isrctn(4) }] },
    { canonicalId: 'wt_parts0000000', members: [{ id: nct(5) }, { id: isrctn(5) }] },
  ],
  identifiers: [stated('NCT00000012', 'declared'), stated('NCT00000013', 'declared')],
  links: [{ link_id: 'ln_kept' }, { link_id: 'ln_lost', from_id: isrctn(5), to_id: nct(5) }, { link_id: 'ln_turned' }],
};
const after: CorpusSpec = {
  trials: [
    { canonicalId: 'wt_same00000000', members: [{ id: nct(1), retrieved_at: '2030-01-01T00:00:00.000Z' }] },
    {
      canonicalId: 'wt_changed00000',
      members: [{ id: nct(2), title: 'New title', enrollment_count: 20, countries: ['Peru'], payload: '{"v":2}' }],
    },
    { canonicalId: 'wt_joins0000000', members: [{ id: nct(4) }, { id: isrctn(4) }] },
    { canonicalId: 'wt_parts0000000', members: [{ id: nct(5) }] },
    { canonicalId: 'wt_split0000000', members: [{ id: isrctn(5) }] },
    { canonicalId: 'wt_added0000000', members: [{ id: nct(6) }] },
  ],
  identifiers: [stated('NCT00000014', 'declared'), stated('NCT00000013', 'related')],
  formerIds: [
    ['wt_merges000000', 'alias', 'wt_joins0000000'],
    ['wt_removed00000', 'retired', null],
  ],
  links: [
    { link_id: 'ln_kept' },
    { link_id: 'ln_gained', from_id: isrctn(4), to_id: nct(4) },
    { link_id: 'ln_turned', verdict: 'rejected', reason: 'ambiguous' },
  ],
};

let root: Awaited<ReturnType<typeof temporaryDirectory>>;
let snapshots: string;
let a: string;
let b: string;
let whole: SnapshotDiff;

beforeAll(async () => {
  root = await temporaryDirectory();
  snapshots = join(root.path, 'snapshots');
  await using db = await makeWorkingDatabase(join(root.path, 'data'), before);
  a = (await publish(publishInputs(root.path, before), db, buildTestImage, quietEffects())).version;
  await fillWorkingDatabase(db, join(root.path, 'data'), after);
  const accept = ['shrink:clinicaltrials_gov'];
  b = (await publish(publishInputs(root.path, after, { accept }), db, buildTestImage, quietEffects())).version;
  whole = await diff(snapshots, a, b, null);
});
afterAll(() => root[Symbol.asyncDispose]());

describe('a diff of two snapshots', () => {
  test('has exact totals that add up', () => {
    expect(whole.totals).toEqual({
      trials: { from: 6, removed: 1, merged: 1, added: 1, split: 1, changed: 3, to: 6 },
      registrations: { from: 7, removed: 1, added: 1, changed: 1, to: 7 },
      links: { from: 3, lost: 1, gained: 1, changed: 1, to: 3 },
      signals: { from: 0, lost: 0, gained: 0, to: 0 },
    });
  });

  test('names each added, removed, merged and split trial', () => {
    const { added, removed, merged, split } = whole.trials;
    expect({ added, removed, merged, split }).toEqual({
      added: [{ canonicalId: 'wt_added0000000', title: `Title of ${nct(6)}`, registrations: [nct(6)] }],
      removed: [{ canonicalId: 'wt_removed00000', title: `Title of ${nct(3)}`, registrations: [nct(3)] }],
      merged: [{ canonicalId: 'wt_merges000000', into: 'wt_joins0000000' }],
      split: [
        {
          canonicalId: 'wt_split0000000',
          title: `Title of ${isrctn(5)}`,
          registrations: [isrctn(5)],
          outOf: ['wt_parts0000000'],
        },
      ],
    });
  });

  test('names each changed trial with field, old and new value; a run time is no change', () => {
    expect(whole.trials.changed).toEqual([
      {
        canonicalId: 'wt_changed00000',
        title: 'New title',
        fields: [
          { field: 'title', old: 'Old <b>title</b>', new: 'New title' },
          { field: 'enrollment_count', old: 10, new: 20 },
          { field: 'countries', old: [], new: ['Peru'] },
          { field: 'origins.countries', old: null, new: 'clinicaltrials_gov' },
        ],
      },
      {
        canonicalId: 'wt_joins0000000',
        title: `Title of ${nct(4)}`,
        fields: [
          { field: 'aliases', old: [], new: ['wt_merges000000'] },
          { field: 'isrctn_id', old: null, new: isrctn(4) },
          { field: 'registries', old: ['clinicaltrials_gov'], new: ['clinicaltrials_gov', 'isrctn'] },
        ],
      },
      {
        canonicalId: 'wt_parts0000000',
        title: `Title of ${nct(5)}`,
        fields: [
          { field: 'isrctn_id', old: isrctn(5), new: null },
          { field: 'registries', old: ['clinicaltrials_gov', 'isrctn'], new: ['clinicaltrials_gov'] },
        ],
      },
    ]);
  });

  test('names registrations by record and by field, and links gained, lost and turned', () => {
    expect(whole.registrations.added.map((entry) => entry.id)).toEqual([nct(6)]);
    expect(whole.registrations.removed.map((entry) => entry.id)).toEqual([nct(3)]);
    expect(whole.registrations.changed).toMatchObject([
      { registry: 'clinicaltrials_gov', id: nct(2), payloadChanged: true },
    ]);
    expect(whole.registrations.changed[0]!.fields.map((field) => field.field)).toEqual([
      'payload_sha256',
      'title',
      'enrollment_count',
      'countries',
      'identifiers.secondaryIdInfos.id',
    ]);
    expect(whole.registrations.changed[0]!.fields.at(-1)).toEqual({
      field: 'identifiers.secondaryIdInfos.id',
      old: ['nct NCT00000012', 'nct NCT00000013'],
      new: ['nct NCT00000013 (related)', 'nct NCT00000014'],
    });
    expect(whole.links.gained.map((link) => [link.linkId, link.from, link.to])).toEqual([
      ['ln_gained', isrctn(4), nct(4)],
    ]);
    expect(whole.links.lost.map((link) => link.linkId)).toEqual(['ln_lost']);
    expect(whole.links.changed).toMatchObject([
      {
        linkId: 'ln_turned',
        verdict: 'rejected',
        fields: [
          { field: 'verdict', old: 'accepted', new: 'rejected' },
          { field: 'reason', old: null, new: 'ambiguous' },
        ],
      },
    ]);
  });

  test('the streamed JSON is the same value as the object', async () => {
    let text = '';
    await diffJson(snapshots, a, b, (piece) => {
      text += piece;
    });
    expect(JSON.parse(text)).toEqual(whole);
    let none = '';
    await diffJson(snapshots, a, a, (piece) => {
      none += piece;
    });
    expect(JSON.parse(none)).toEqual(await diff(snapshots, a, a, null));
  });

  test('bounded lists keep exact totals, and the text says how many are left out', async () => {
    const bounded = await diff(snapshots, a, b, 1);
    expect(bounded.totals).toEqual(whole.totals);
    expect(bounded.trials.changed).toEqual(whole.trials.changed.slice(0, 1));
    expect(renderDiffText(bounded)).toContain('trials changed: 3\n  wt_changed00000 "New title"\n');
    expect(renderDiffText(bounded)).toContain('  … and 2 more\n');
  });

  test('the text begins with totals that add up and names fields', () => {
    expect(renderDiffText(whole).split('\n').slice(0, 6)).toEqual([
      `from ${a} to ${b}`,
      '',
      'trials: 6 - 1 removed - 1 merged + 1 added + 1 split = 6; 3 changed',
      'registrations: 7 - 1 removed + 1 added = 7; 1 changed',
      'links: 3 - 1 lost + 1 gained = 3; 1 changed',
      'signals: 0 - 0 lost + 0 gained = 0',
    ]);
    expect(renderDiffText(whole)).toContain('    enrollment_count: 10 -> 20\n');
    expect(renderDiffText(whole)).toContain('    identifiers.secondaryIdInfos.id: ["nct NCT00000012",');
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
    const none = await diff(snapshots, a, a);
    expect(none.totals.trials).toEqual({ from: 6, removed: 0, merged: 0, added: 0, split: 0, changed: 0, to: 6 });
    expect(renderDiffHtml(none)).toContain('Nothing differs.');
  });

  test('the numbers in the manifest are those of the diff with the parent', async () => {
    expect((await readManifest(join(snapshots, b))).changes).toEqual({
      added: 1,
      changed: 3,
      removed: 1,
      merged: 1,
      split: 1,
    });
  });
});

test('for any two worlds the totals add up and equal what a plain comparison of ids gives', async () => {
  await using place = await temporaryDirectory();
  await using db = await makeWorkingDatabase(place.path, { trials: [] });
  await fc.assert(
    fc.asyncProperty(anyCorpus, anyCorpus, async (one, two) => {
      await writeWideTables(db, place.path, one, 'a');
      await writeWideTables(db, place.path, two, 'b');
      const totals = await withScratchDatabase(async (scratch) => {
        await compareTable(scratch, 'trials', join(place.path, 'a'), join(place.path, 'b'));
        return trialTotals(scratch);
      });
      expect(totals).toMatchObject(plainTotals(one, two));
    }),
    { numRuns: amountOf({ quick: 1, deep: 10 }), seed: 20261121 },
  );
});

/** The values that a trial's row shows: its registrations, title and aliases. */
function shown(trial: TrialSpec, { formerIds }: CorpusSpec): string {
  const aliases = formerIds!.filter(([, , of]) => of === trial.canonicalId);
  return JSON.stringify([trial.members.map(({ id }) => id).sort(), trial.members[0]!.title, aliases]);
}

function plainTotals(a: CorpusSpec, b: CorpusSpec): Record<string, number> {
  const [idsA, idsB] = [a, b].map((corpus) => new Set(corpus.trials.map((trial) => trial.canonicalId)));
  const aliasesB = new Set(b.formerIds!.map(([id]) => id));
  const gone = [...idsA!].filter((id) => !idsB!.has(id));
  const fresh = b.trials.filter((trial) => !idsA!.has(trial.canonicalId));
  const holderA = new Map(a.trials.flatMap((trial) => trial.members.map((member) => [member.id, trial.canonicalId])));
  const split = fresh.filter((trial) => trial.members.some((member) => idsB!.has(holderA.get(member.id) ?? '')));
  const merged = gone.filter((id) => aliasesB.has(id));
  const before = new Map(a.trials.map((trial) => [trial.canonicalId, shown(trial, a)]));
  const stayed = b.trials.filter((trial) => idsA!.has(trial.canonicalId));
  return {
    changed: stayed.filter((trial) => shown(trial, b) !== before.get(trial.canonicalId)).length,
    from: a.trials.length,
    to: b.trials.length,
    merged: merged.length,
    removed: gone.length - merged.length,
    split: split.length,
    added: fresh.length - split.length,
  };
}
