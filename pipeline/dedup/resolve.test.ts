import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillFixture, fixedEffects, forgetLedger, openFixture } from '../../test/support/dedup-corpus.ts';
import { dedup } from './dedup.ts';
import type { Evidence, RegistrationRef } from './evidence.ts';
import { type Link, type Resolution, resolveEvidence } from './resolve.ts';

const NCT: RegistrationRef[] = [1, 2, 3, 4, 5].map((n) => ({ registry: 'clinicaltrials_gov', id: `NCT0000000${n}` }));
const ISRCTN: RegistrationRef[] = [1, 2, 3, 4, 5].map((n) => ({ registry: 'isrctn', id: `ISRCTN0000000${n}` }));

/** One registration that holds a shared number. */
interface NumberHolder extends RegistrationRef {
  type: 'eudract' | 'euct' | 'utn';
  value: string;
  field: string;
  rawValue: string;
  relates: boolean;
}

/** Plain reference of evidence.sql: evidence from the holders of one number, each once and in order of id. */
function sharedNumberEvidence(holders: readonly NumberHolder[]): Evidence[] {
  const ctgov = holders.filter((holder) => holder.registry === 'clinicaltrials_gov');
  const isrctn = holders.filter((holder) => holder.registry === 'isrctn');
  const [ownCtgov, ownIsrctn] = [ctgov, isrctn].map((side) => side.filter((holder) => !holder.relates));
  const firstCtgov = ownCtgov?.[0] ?? ctgov[0];
  const firstIsrctn = ownIsrctn?.[0] ?? isrctn[0];
  const all = ctgov.flatMap((from) => isrctn.map((to) => ({ from, to })));
  const pairs = holders.length <= 10 ? all : all.filter(({ from, to }) => from === firstCtgov || to === firstIsrctn);
  return pairs.map(({ from, to }) => ({
    kind: 'shared-identifier',
    rule: `shared-${from.type}`,
    from: { registry: from.registry, id: from.id },
    standsFor: { registry: from.registry, id: from.id },
    to: { registry: to.registry, id: to.id },
    field: from.field,
    rawValue: from.rawValue,
    toField: to.field,
    toRawValue: to.rawValue,
    identifierType: from.type,
    identifierValue: from.value,
    counts: ownCtgov?.length === 1 && ownIsrctn?.length === 1,
    relates: from.relates || to.relates,
  }));
}

/** What the registrations state: references from one to another, and the numbers that each holds. */
interface Statements {
  references: { from: RegistrationRef; to: RegistrationRef; field: string; relates?: boolean }[];
  holders: NumberHolder[];
}

function evidenceOf({ references, holders }: Statements): Evidence[] {
  const explicit = references.map(
    ({ from, to, field, relates = false }): Evidence => ({
      kind: 'explicit-cross-reference',
      rule: from.registry === 'isrctn' ? 'declared-by-isrctn' : 'declared-by-clinicaltrials-gov',
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
            holders: holders.map((holder) => ({ ...holder, ...swapRef(holder) })),
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
      return { ...who, type: 'utn', value: 'U1111-0000-0001', field: 'f', rawValue: 'r', relates: false };
    });

  test.each([
    ['a rejected link for each pair of its holders up to ten of them', 5, 5, 25],
    ['above ten one rejected link per holder, with the first holder of the other registry', 9, 3, 11],
    ['the same where the first holder calls it another study’s', 9, 4, 12],
  ])('gives %s', async (_, ctgov, isrctn, count) => {
    const held = holders(ctgov, isrctn).map((holder, place) => ({ ...holder, relates: count === 12 && place === 0 }));
    const reference = resolveEvidence(sharedNumberEvidence(held));
    await using db = await openFixture();
    await fillFixture(db, {
      held: held.map(({ id }) => ({ id })),
      stated: held.map(({ id, type, value, field, rawValue, relates }) => {
        return {
          by: id,
          type,
          value,
          field,
          raw: rawValue,
          role: relates ? ('related' as const) : ('declared' as const),
        };
      }),
    });
    await forgetLedger(db);
    await dedup(db, fixedEffects('2026-11-21T00:00:00Z'));
    const columns = 'link_id, from_id, to_id, rule, verdict, reason, direction';
    const links = await db.all(`SELECT ${columns} FROM links ORDER BY link_id`);
    expect(links).toHaveLength(count);
    expect(links).toEqual(
      reference.links
        .map(({ linkId, from, to, rule, verdict, reason, direction }) => {
          return { link_id: linkId, from_id: from.id, to_id: to.id, rule, verdict, reason, direction };
        })
        .sort((x, y) => (x.link_id < y.link_id ? -1 : 1)),
    );
    expect(new Set(links.map(({ verdict }) => verdict))).toEqual(new Set(['rejected']));
    expect(reference.merges).toEqual([]);
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
