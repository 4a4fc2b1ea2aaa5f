import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import type { View } from './asked-view.ts';
import { changedTrial, changeLine } from './changes-of-trials.ts';
import { readableText } from './readable-text.ts';
import { viewed } from './viewed.ts';

const CONCISE: View = { detail: 'concise', fields: null };
const operationOf = (id: string) => OPERATIONS.find((operation) => operation.id === id)!;

const whole = { registry: null, registrationId: null, item: null, related: [] };
const ofTrial = { ...whole, registry: 'clinicaltrials_gov', registrationId: 'NCT00000001', ofTrial: true };
const day = (date: string, type: string, precision = 'day') => ({ date, precision, type });

const FIELDS = [
  { ...ofTrial, kind: 'registration-changed', field: 'status', old: 'running', new: 'terminated' },
  { ...whole, kind: 'registration-changed', field: 'why_stopped', old: null, new: 'Slow recruitment' },
  {
    ...{ ...ofTrial, kind: 'registration-changed', field: 'completion_date' },
    ...{ old: day('2027-02-17', 'estimated'), new: day('2027-02', 'estimated', 'month') },
  },
  {
    ...{ ...whole, kind: 'trial-changed', field: 'start_date' },
    ...{ old: day('2024-01-10', 'estimated'), new: day('2024-01-10', 'actual') },
  },
  { ...whole, registry: 'isrctn', kind: 'registration-changed', field: 'enrollment_count', old: 5, new: 7 },
  { ...ofTrial, kind: 'registration-changed', field: 'primary_endpoints', old: [], new: [{ measure: 'death' }] },
  ...[
    ...['payload_sha256', 'source_version', 'status_raw', 'retrieved_at', 'status_basis', 'start_day'],
    'origins.phase',
  ].map((field) => ({ ...whole, kind: 'registration-changed', field, old: 'a', new: 'b' })),
];

const ENTRY = {
  canonicalId: 'wt_1',
  heldBy: 'wt_1',
  title: 'Insulin A against insulin B',
  version: '20261122T031500Z-2c1426a5',
  publishedAt: '2026-11-22T03:15:00.000Z',
  parent: '20261121T031500Z-ca270f2b',
  kinds: ['registration-changed', 'trial-changed'],
  changes: FIELDS,
  more: 0,
};

describe('a changed trial in short', () => {
  it('has what a follower acts on as old and new value, other fields by name, and no bookkeeping', () => {
    const shown = changedTrial(ENTRY);
    expect(shown).toEqual({
      canonicalId: 'wt_1',
      title: 'Insulin A against insulin B',
      version: '20261122T031500Z-2c1426a5',
      kinds: ['registration-changed', 'trial-changed'],
      changed: {
        status: ['running', 'terminated'],
        why_stopped: [null, 'Slow recruitment'],
        completion_date: ['2027-02-17', '2027-02'],
        // The day that was expected came.
        start_date: ['~2024-01-10', '2024-01-10'],
      },
      alsoChanged: ['enrollment_count (isrctn)', 'primary_endpoints'],
    });
    expect(changeLine(shown)).toBe(
      'wt_1 20261122T031500Z-2c1426a5 | Insulin A against insulin B | registration-changed, trial-changed | status running -> terminated; why_stopped none -> Slow recruitment; completion_date 2027-02-17 -> 2027-02; start_date ~2024-01-10 -> 2024-01-10 | also enrollment_count (isrctn), primary_endpoints',
    );
  });

  it('says what joined and left it, and who holds its id now', () => {
    const row = { from_id: 'NCT00000001', to_id: 'ISRCTN00000001', rule: 'shared-euct', verdict: 'accepted' };
    const changes = [
      { ...whole, kind: 'trial-merged', field: null, old: null, new: null, related: ['wt_2'] },
      { ...whole, kind: 'trial-changed', field: 'aliases', old: ['wt_3'], new: ['wt_3', 'wt_4'] },
      { ...whole, kind: 'identifier-gained', field: 'a', old: null, new: { role: 'own', type: 'nct', value: 'NCT1' } },
      { ...whole, kind: 'link-gained', field: null, old: null, new: row },
    ];
    expect(changedTrial({ ...ENTRY, heldBy: 'wt_2', changes, more: 3 })).toMatchObject({
      came: [
        'merged into wt_2',
        'has the former ids wt_4',
        'identifier gained nct NCT1',
        'link gained NCT00000001 ISRCTN00000001 shared-euct accepted',
      ],
      more: 3,
      heldBy: 'wt_2',
    });
    const publication = { kind: 'results', pmid: '123', doi: null, citation: 'A long citation' };
    const lost = [
      { ...whole, kind: 'publication-lost', field: null, old: publication, new: null },
      // A row that the whole answer cuts is its beginning, as text.
      {
        ...whole,
        kind: 'publication-gained',
        field: null,
        old: null,
        new: '{"citation":"B","doi":"10.1/x", …',
        cut: true,
      },
    ];
    const gone = changedTrial({ ...ENTRY, heldBy: null, changes: lost });
    expect(gone).toMatchObject({ came: ['publication lost PMID 123', 'publication gained doi 10.1/x'], heldBy: null });
    expect(changeLine({ ...gone, title: 'a | b' })).toContain('| "a | b" |');
    expect(changeLine(gone)).toContain('no longer held');
  });
});

describe('a page of changes in short', () => {
  const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);
  const between = { from: ENTRY.parent, to: ENTRY.version, versions: 1, missing: [], complete: true };
  const kept = { from: ENTRY.parent, to: ENTRY.version, versions: 1 };
  const title = 'A randomised, double-blind trial of insulin A against insulin B in adults with type 1 diabetes';
  const trials = Array.from({ length: 20 }, (_, at) => ({ ...ENTRY, canonicalId: `wt_${at}00000000000`, title }));
  const data = { between, kept, removedTold: true, trials, summary: 'Changes between two versions.' };
  const changes = operationOf('trials-changes');

  it('of 20 trials has at most 2,500 tokens as data and as text, a line a trial', () => {
    const shown = viewed(changes, { data, _meta: {} }, CONCISE);
    const text = readableText(changes, shown);
    expect([tokens(shown) <= 2_500, tokens(text) <= 2_500]).toEqual([true, true]);
    expect(text.split('\n').filter((line) => line.startsWith('- wt_'))).toHaveLength(20);
    expect(shown.data).toMatchObject({ between: { from: ENTRY.parent, to: ENTRY.version } });
    expect(shown.data).not.toHaveProperty('kept');
  });

  it('says what is kept where that does not reach back to what was asked for, and stays whole with detail=full', () => {
    const early = { ...data, between: { ...between, complete: false } };
    expect(viewed(changes, { data: early, _meta: {} }, CONCISE).data).toMatchObject({ kept });
    expect(readableText(changes, { data, _meta: {} })).toContain('payload_sha256');
  });
});
