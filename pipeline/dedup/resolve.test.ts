import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Evidence, type NumberHolder, type RegistrationRef, sharedNumberEvidence } from './evidence.ts';
import { type Link, type Resolution, resolveEvidence } from './resolve.ts';
import { DECLARED_RULE } from './rules.ts';

const NCT: RegistrationRef[] = [1, 2, 3, 4, 5].map((n) => ({ registry: 'clinicaltrials_gov', id: `NCT0000000${n}` }));
const ISRCTN: RegistrationRef[] = [1, 2, 3, 4, 5].map((n) => ({ registry: 'isrctn', id: `ISRCTN0000000${n}` }));

/** What the registrations state: references from one to another, and the numbers that each holds. */
interface Statements {
  references: { from: RegistrationRef; to: RegistrationRef; field: string; relates?: boolean }[];
  holders: NumberHolder[];
}

function evidenceOf({ references, holders }: Statements): Evidence[] {
  const explicit = references.map(
    ({ from, to, field, relates = false }): Evidence => ({
      kind: 'explicit-cross-reference',
      rule: DECLARED_RULE[from.registry],
      from,
      standsFor: from,
      to,
      field,
      rawValue: to.id,
      toField: null,
      toRawValue: null,
      identifierType: to.registry === 'isrctn' ? 'isrctn' : 'nct',
      identifierValue: to.id,
      counts: true,
      relates,
    }),
  );
  const numbers = Map.groupBy(holders, (holder) => holder.value);
  return [...explicit, ...[...numbers.values()].flatMap((group) => sharedNumberEvidence(group))];
}

const anyone = fc.constantFrom(...NCT, ...ISRCTN);
/** Mostly false, so that pairs still merge. */
const rarely = fc.constantFrom(false, false, false, false, true);
const statements: fc.Arbitrary<Statements> = fc.record({
  references: fc.uniqueArray(
    fc
      .record({ from: anyone, to: anyone, field: fc.constantFrom('one', 'two'), relates: rarely })
      .filter(({ from, to }) => from.id !== to.id),
    { maxLength: 12, selector: ({ from, to, field }) => `${from.id} ${to.id} ${field}` },
  ),
  holders: fc
    .uniqueArray(fc.record({ who: anyone, value: fc.constantFrom('E1', 'E2', 'E3'), relates: rarely }), {
      maxLength: 6,
      selector: ({ who, value }) => `${who.id} ${value}`,
    })
    .map((holders) =>
      holders
        .map(
          ({ who, value, relates }): NumberHolder => ({
            ...who,
            by: who.id,
            type: 'eudract',
            value,
            field: 'f',
            rawValue: value,
            relates,
          }),
        )
        .sort((x, y) => (x.id < y.id ? -1 : 1)),
    ),
});

/** Whether a record names exactly one of the other registry, and others of that registry name it. */
function namesOneAndIsNamedByAnother(references: Statements['references'], id: string): boolean {
  const across = references.filter(({ from, to, relates }) => from.registry !== to.registry && relates !== true);
  const named = new Set(across.filter(({ from }) => from.id === id).map(({ to }) => to.id));
  return named.size === 1 && across.some(({ from, to }) => to.id === id && !named.has(from.id));
}

function pairName(from: RegistrationRef, to: RegistrationRef): string {
  return [from.id, to.id].sort().join(' ');
}

/** Verdicts by pair; which of the two stated the link is left out. */
function verdicts({ links }: Resolution): string[] {
  return links
    .map((link) => `${pairName(link.from, link.to)} ${link.direction} ${link.reason} ${link.conflict}`)
    .sort();
}

describe('the resolution of evidence', () => {
  test('favours a registry only where an ISRCTN record names one NCT number: else swapping the two swaps the outcome', () => {
    const swapRef = ({ id }: RegistrationRef): RegistrationRef =>
      id.startsWith('NCT') ? ISRCTN[Number(id.slice(-1)) - 1]! : NCT[Number(id.slice(-1)) - 1]!;
    const swapIds = (text: string): string =>
      text
        .split(' ')
        .map((word) => (/^(NCT|ISRCTN)/.test(word) ? swapRef({ registry: 'isrctn', id: word }).id : word))
        .join(' ');
    fc.assert(
      fc.property(statements, ({ references, holders }) => {
        fc.pre(![...NCT, ...ISRCTN].some(({ id }) => namesOneAndIsNamedByAnother(references, id)));
        const swapped = resolveEvidence(
          evidenceOf({
            references: references.map((one) => ({ ...one, from: swapRef(one.from), to: swapRef(one.to) })),
            holders: holders.map((holder) => ({ ...holder, ...swapRef(holder), by: swapRef(holder).id })),
          }),
        );
        const straight = resolveEvidence(evidenceOf({ references, holders }));
        const swappedBack = verdicts(swapped).map((line) => {
          const [a, b, ...rest] = line.split(' ');
          return [...[swapIds(a!), swapIds(b!)].sort(), ...rest].join(' ');
        });
        expect(swappedBack.sort()).toEqual(verdicts(straight));
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  test('puts at most one registration of a registry in a trial, and every merge has evidence inside it', () => {
    fc.assert(
      fc.property(statements, (all) => {
        const { links, merges, relations } = resolveEvidence(evidenceOf(all));
        const ends = merges.flatMap((merge) => merge.map(({ id }) => id));
        expect(new Set(ends).size).toBe(ends.length);
        for (const [first, second] of merges) {
          expect([first.registry, second.registry]).toEqual(['clinicaltrials_gov', 'isrctn']);
        }
        const merged = new Set(merges.map(([first, second]) => pairName(first, second)));
        const accepted = links.filter((link) => link.verdict === 'accepted');
        expect(new Set(accepted.map((link) => pairName(link.from, link.to)))).toEqual(merged);

        const related = relations.map(({ from, to }) => pairName(from, to));
        const unmerged = new Set(links.map((link) => pairName(link.from, link.to)).filter((pair) => !merged.has(pair)));
        expect(new Set(related)).toEqual(unmerged);
        expect(related.length).toBe(unmerged.size);
        for (const relation of relations) {
          const cause = links.find((link) => link.linkId === relation.linkId);
          expect(cause?.reason).toBe(relation.reason);
        }
        expect(new Set(links.map((link) => link.linkId)).size).toBe(links.length);
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  test('merges a record that has mutual partners with its only mutual partner or with nobody', () => {
    fc.assert(
      fc.property(statements, (all) => {
        const { links, merges } = resolveEvidence(evidenceOf(all));
        const partnerOf = new Map(merges.flatMap(([a, b]) => [[a.id, b.id] as const, [b.id, a.id] as const]));
        const across = (link: Link): boolean => link.from.registry !== link.to.registry;
        const apart = new Set(
          links.filter(({ reason }) => reason === 'stated-relation').map((link) => pairName(link.from, link.to)),
        );
        const mutual = links.filter(
          (link) => link.direction === 'mutual' && across(link) && !apart.has(pairName(link.from, link.to)),
        );
        for (const { from } of mutual) {
          const partners = new Set(mutual.filter((link) => link.from.id === from.id).map((link) => link.to.id));
          const partner = partnerOf.get(from.id);
          if (partner !== undefined) expect([...partners]).toEqual([partner]);
        }
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});

describe('a number that many records hold', () => {
  const holders = (ctgov: number, isrctn: number): NumberHolder[] =>
    [
      ...Array.from({ length: ctgov }, (_, n) => ({ registry: 'clinicaltrials_gov' as const, id: `NCT1000000${n}` })),
      ...Array.from({ length: isrctn }, (_, n) => ({ registry: 'isrctn' as const, id: `ISRCTN1000000${n}` })),
    ].map((who) => {
      return { ...who, by: who.id, type: 'utn', value: 'U1111-0000-0001', field: 'f', rawValue: 'r', relates: false };
    });

  test('gives a rejected link for each pair of its holders up to ten of them', () => {
    const { links, relations, merges } = resolveEvidence(sharedNumberEvidence(holders(5, 5)));
    expect(links).toHaveLength(25);
    expect(new Set(links.map((link) => link.reason))).toEqual(new Set(['shared-by-many']));
    expect(relations).toHaveLength(25);
    expect(merges).toEqual([]);
  });

  test('gives one rejected link per holder above ten, with the first holder of the other registry', () => {
    const { links } = resolveEvidence(sharedNumberEvidence(holders(9, 3)));
    const named = links.map((link) => `${link.from.id} ${link.to.id}`);
    expect(named).toHaveLength(11);
    expect(named.filter((pair) => pair.endsWith('ISRCTN10000000'))).toHaveLength(9);
    expect(named.filter((pair) => pair.startsWith('NCT10000000'))).toEqual([
      'NCT10000000 ISRCTN10000000',
      'NCT10000000 ISRCTN10000001',
      'NCT10000000 ISRCTN10000002',
    ]);
  });
});

test('a link id is a hash of its key columns alone', () => {
  const [a, b] = [NCT[0]!, ISRCTN[0]!];
  const statement = { references: [{ from: b, to: a, field: 'one' }], holders: [] };
  const alone = resolveEvidence(evidenceOf(statement));
  const answered = resolveEvidence(
    evidenceOf({ references: [...statement.references, { from: a, to: b, field: 'one' }], holders: [] }),
  );
  expect(alone.links.map((link) => [link.linkId, link.direction])).toEqual([['ln_0gzg9p7v8364', 'one-way']]);
  expect(answered.links.find((link) => link.from.id === b.id)?.linkId).toBe('ln_0gzg9p7v8364');
});
