import fc from 'fast-check';
import { type CorpusSpec, type RegistrationSpec, registryOf } from './working-database.ts';

type Row = Record<string, unknown>;

/**
 * One of four pairs of a world, each with a registration in either registry. It says which sides are held, whether
 * they are one trial, which side founds the trial, the title, and record content that no trial shows. The ids follow
 * the founding registration, as in dedup.
 */
interface Pair {
  c: boolean;
  i: boolean;
  joined: boolean;
  founder: boolean;
  title: string | null;
  unshown: string;
}
const pair: fc.Arbitrary<Pair> = fc.record({
  c: fc.boolean(),
  i: fc.boolean(),
  joined: fc.boolean(),
  founder: fc.boolean(),
  title: fc.constantFrom('x', 'y', null),
  unshown: fc.constantFrom('one', 'two'),
});
const world = fc.array(pair, { minLength: 4, maxLength: 4 });
export const anyCorpus: fc.Arbitrary<CorpusSpec> = world.map(corpusOf);

const nct = (n: number): string => `NCT0000000${n}`;
const isrctn = (n: number): string => `ISRCTN0000000${n}`;

function corpusOf(pairs: readonly Pair[]): CorpusSpec {
  const corpus: Required<Pick<CorpusSpec, 'trials' | 'formerIds'>> = { trials: [], formerIds: [] };
  pairs.forEach(({ c, i, joined, founder, title, unshown }, n) => {
    const sides: (RegistrationSpec & { id: string })[] = [];
    const said = { title, eligibility_text: unshown, payload: JSON.stringify([title, unshown]) };
    if (c) sides.push({ id: nct(n), ...said });
    if (i) sides.push({ id: isrctn(n), ...said });
    if (founder) sides.reverse();
    const idOf = (side: RegistrationSpec) => `wt_${side.id}`;
    if (sides.length === 2 && joined) {
      corpus.trials.push({ canonicalId: idOf(sides[0]!), members: sides });
      corpus.formerIds.push([idOf(sides[1]!), 'alias', idOf(sides[0]!)]);
    } else corpus.trials.push(...sides.map((side) => ({ canonicalId: idOf(side), members: [side] })));
  });
  return corpus;
}

/** What a pair states beside its record, as the reading of a registry gives it. */
const statement = fc.record({
  place: fc.nat({ max: 3 }),
  value: fc.constantFrom('NCT00000012', 'EUCTR-1', 'a"b\u001f'),
  role: fc.constantFrom('declared', 'related'),
  field: fc.constantFrom('one', 'two'),
  verdict: fc.constantFrom('accepted', 'rejected'),
  /** Whether it is a link, an identifier or a publication. */
  as: fc.constantFrom('links', 'identifiers', 'publications'),
});

/** The corpus with links between its registrations, and identifiers and publications that they list, in any order and number. */
export function withStatements(corpora: fc.Arbitrary<CorpusSpec>): fc.Arbitrary<CorpusSpec> {
  return fc.tuple(corpora, fc.array(statement, { maxLength: 8 })).map(([corpus, statements]) => {
    const held = corpus.trials.flatMap(({ members }) => members.map(({ id }) => id));
    const made = {
      links: new Map<string, Row & { link_id: string }>(),
      identifiers: [] as Row[],
      publications: [] as Row[],
    };
    for (const [ordinal, { place, value, role, field, verdict, as }] of statements.entries()) {
      const id = held[place];
      if (id === undefined) continue;
      const of = { registry: registryOf(id), registration_id: id };
      if (as === 'publications')
        made.publications.push({ ...of, ordinal, kind: 'results', kind_raw: value, retracted: role === 'related' });
      else if (as === 'identifiers')
        made.identifiers.push({
          ...of,
          type: 'nct',
          value,
          role,
          field,
          raw_value: value,
          suspect: false,
          in_index: false,
        });
      else {
        const ends = { from_registry: registryOf(id), from_id: id, to_id: held[place + 1] ?? 'NCT99999999' };
        made.links.set(`ln_${place}`, { link_id: `ln_${place}`, ...ends, field, verdict });
      }
    }
    const { identifiers, publications } = made;
    return { ...corpus, links: [...made.links.values()], identifiers, publications };
  });
}
