import { expect, test } from 'vitest';
import type { StoredChange } from '../format/versions/change.ts';
import { composeChanges, undone } from './compose-changes.ts';

const NOTHING = {
  trials: { added: [], removed: [], changed: [], merged: [], split: [] },
  registrations: { added: [], removed: [], changed: [] },
  links: { gained: [], lost: [], changed: [] },
  publications: [],
  signals: { gained: [], lost: [] },
};

function change(kind: StoredChange['kind'], given: Partial<StoredChange> = {}): StoredChange {
  const nothing = { registry: null, registrationId: null, item: null, field: null, old: null, new: null, title: null };
  return { canonicalId: null, ...nothing, related: [], kind, ...given };
}
const title = (old: string, fresh: string): StoredChange =>
  change('trial-changed', { canonicalId: 'wt_a', field: 'title', old: `"${old}"`, new: `"${fresh}"`, title: fresh });
const trialRow = (values: object): string =>
  JSON.stringify({ aliases: [], ctgov_id: null, isrctn_id: null, title: null, ...values });
const registration = { registry: 'isrctn', registrationId: 'ISRCTN1' } as const;

test('what changed and changed back, or came and went, is no difference', () => {
  const row = trialRow({ ctgov_id: 'NCT1' });
  const there = [
    title('one', 'two'),
    change('trial-added', { canonicalId: 'wt_b', new: row }),
    change('registration-added', { ...registration, new: '{"id":"ISRCTN1"}' }),
    change('link-gained', { item: 'ln_1', new: '{"verdict":"accepted"}' }),
    change('identifier-gained', {
      ...registration,
      field: 'f',
      new: '{"role":"declared","type":"nct","value":"NCT1"}',
    }),
    change('publication-gained', { ...registration, new: '{"pmid":"1"}' }),
    change('signal-gained', { item: 'item' }),
  ];
  const back = there.map(undone);
  expect(back[1]).toMatchObject({ kind: 'trial-removed', old: row, new: null });
  expect(composeChanges([there, back])).toEqual(NOTHING);
  expect(composeChanges([])).toEqual(NOTHING);
});

test('a value that came back from another registry has another origin, also where its row came and went', () => {
  const changed = (field: string, old: string, fresh: string): StoredChange =>
    change('trial-changed', { canonicalId: 'wt_a', field, old: `"${old}"`, new: `"${fresh}"`, title: 't' });
  const there = [
    changed('phase', '2', '3'),
    changed('origins.phase', 'clinicaltrials_gov', 'isrctn'),
    changed('origins.title', 'isrctn', 'clinicaltrials_gov'),
  ];
  const expected = [
    {
      canonicalId: 'wt_a',
      title: 't',
      fields: [{ field: 'origins.phase', old: 'clinicaltrials_gov', new: 'isrctn' }],
    },
  ];
  const back = [changed('phase', '3', '2'), changed('origins.title', 'clinicaltrials_gov', 'isrctn')];
  expect(composeChanges([there, back]).trials.changed).toEqual(expected);
  const row = (registry: string): string =>
    trialRow({ title: 't', phase: '2', origins: { phase: registry, title: null } });
  const gone = change('trial-removed', { canonicalId: 'wt_a', old: row('clinicaltrials_gov') });
  const again = change('trial-added', { canonicalId: 'wt_a', new: row('isrctn') });
  expect(composeChanges([[gone], [again]]).trials.changed).toEqual(expected);
});

test('merges and splits are told by what the ids are at the end', () => {
  // wt_b is split out of wt_a, then joined to wt_c; seen over both, its registration only moved.
  const split = [
    change('trial-split', {
      canonicalId: 'wt_b',
      new: trialRow({ isrctn_id: 'ISRCTN1', title: 't' }),
      related: ['wt_a'],
    }),
    change('trial-changed', { canonicalId: 'wt_a', field: 'isrctn_id', old: '"ISRCTN1"', new: 'null' }),
  ];
  expect(composeChanges([split]).trials.split).toEqual([
    { canonicalId: 'wt_b', title: 't', registrations: ['ISRCTN1'], outOf: ['wt_a'] },
  ]);
  const joined = [
    change('trial-merged', { canonicalId: 'wt_b', old: trialRow({ isrctn_id: 'ISRCTN1' }), related: ['wt_c'] }),
    change('trial-changed', { canonicalId: 'wt_c', field: 'aliases', old: '[]', new: '["wt_b"]' }),
  ];
  expect(composeChanges([joined]).trials.merged).toEqual([{ canonicalId: 'wt_b', into: 'wt_c', causes: [] }]);
  const { merged, split: left, added, removed, changed } = composeChanges([split, joined]).trials;
  expect([merged, left, added, removed]).toEqual([[], [], [], []]);
  expect(changed.map(({ canonicalId }) => canonicalId)).toEqual(['wt_a', 'wt_c']);
});

test('a new trial is split out of one that exists or was divided, not out of one that is gone', () => {
  const gone = change('trial-removed', {
    canonicalId: 'wt_a',
    old: trialRow({ isrctn_id: 'ISRCTN1', ctgov_id: 'NCT1' }),
  });
  const fresh = (id: string, row: object): StoredChange =>
    change('trial-added', { canonicalId: id, new: trialRow(row) });
  const retired = composeChanges([[gone], [fresh('wt_b', { isrctn_id: 'ISRCTN1', title: 't' })]]).trials;
  expect([retired.split, retired.added.map(({ canonicalId }) => canonicalId)]).toEqual([[], ['wt_b']]);
  const divided = composeChanges([
    [
      gone,
      fresh('wt_c', { ctgov_id: 'NCT1', aliases: ['wt_a'] }),
      fresh('wt_b', { isrctn_id: 'ISRCTN1', aliases: ['wt_a'] }),
    ],
  ]).trials;
  expect(divided.merged).toEqual([{ canonicalId: 'wt_a', into: 'wt_b, wt_c', causes: [] }]);
  expect(divided.split.map(({ canonicalId, outOf }) => [canonicalId, outOf])).toEqual([
    ['wt_b', ['wt_a']],
    ['wt_c', ['wt_a']],
  ]);
});

test('a trial that merged into one that merged later is merged into the last', () => {
  const into = (from: string, to: string, before: string, after: string): StoredChange[] => [
    change('trial-merged', { canonicalId: from, old: trialRow({}), related: [to] }),
    change('trial-changed', { canonicalId: to, field: 'aliases', old: before, new: after }),
  ];
  const both = [into('wt_a', 'wt_b', '[]', '["wt_a"]'), into('wt_b', 'wt_c', '[]', '["wt_a","wt_b"]')];
  expect(composeChanges(both).trials.merged).toEqual([
    { canonicalId: 'wt_a', into: 'wt_c', causes: [] },
    { canonicalId: 'wt_b', into: 'wt_c', causes: [] },
  ]);
});

test('identifiers belong to a registration that changed, by value', () => {
  const stated = (value: string): string => `{"role":"related","type":"nct","value":"${value}"}`;
  const changes = [
    change('registration-changed', { ...registration, field: 'payload_sha256', old: '"a"', new: '"b"', title: 't' }),
    change('identifier-lost', { ...registration, field: 'f', old: stated('NCT1') }),
    change('identifier-gained', { ...registration, field: 'f', new: stated('NCT2') }),
  ];
  const later = [change('identifier-gained', { ...registration, field: 'f', new: stated('NCT1') })];
  expect(composeChanges([changes, later]).registrations.changed).toEqual([
    {
      ...{ registry: 'isrctn', id: 'ISRCTN1', title: 't', payloadChanged: true },
      fields: [
        { field: 'payload_sha256', old: 'a', new: 'b' },
        { field: 'identifiers.f', old: [], new: ['nct NCT2 (related)'] },
      ],
    },
  ]);
});
