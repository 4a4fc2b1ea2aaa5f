import { tokenKey } from '../../../snapshot/format/words/tokens.ts';
import { bundledTerminology } from '../../../snapshot/terminology/make-terminology.ts';
import { readTerminology, type Terminology } from '../../../snapshot/terminology/terminology.ts';
import { compared, type Measure, type Miss, type Row, type Share } from '../measure.ts';
import { ctgovPayloads } from '../real-records.ts';
import { idsOf, sum } from './natural-queries.ts';

/** Names of one concept that lie inside the name of another: which trials have only the longer one? */

const NEGATING = new Set(['non', 'un', 'anti', 'not', 'without']);
const WORDS_MAX = 8;
/** Pairs shown by themselves. */
const SHOWN = 12;

/** Every run of letters and digits as search compares words, so that British names are met: no compound is read as a whole. */
function plainWords(text: string): string[] {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map(tokenKey);
}

/** Every name as plain words, in the order of an inverted heading too, with the concepts that have it: a heading is its own concept's. */
function namesOf(terminology: Terminology): Map<string, Set<number>> {
  const names = new Map<string, Set<number>>();
  for (const [concept] of terminology.concepts.entries()) {
    for (const { term } of terminology.namesOf(concept)) {
      for (const written of [term, term.split(', ').reverse().join(' ')]) {
        const words = plainWords(written).join(' ');
        if (words.length < 4) continue;
        const held = names.get(words) ?? new Set();
        names.set(words, held.add(concept));
      }
    }
  }
  for (const [concept, { heading }] of terminology.concepts.entries()) {
    const words = plainWords(heading).join(' ');
    if (names.has(words)) names.set(words, new Set([concept]));
  }
  return names;
}

interface Place {
  from: number;
  to: number;
  concept: number;
}

function placesIn(words: readonly string[], names: ReadonlyMap<string, ReadonlySet<number>>): Place[] {
  const found: Place[] = [];
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(words.length, from + WORDS_MAX); to++) {
      for (const concept of names.get(words.slice(from, to).join(' ')) ?? []) found.push({ from, to, concept });
    }
  }
  return found;
}

const isWithin = (one: Place, other: Place): boolean =>
  other.from <= one.from && one.to <= other.to && other.to - other.from > one.to - one.from;

/** By shorter concept, the trials with a longer name around it, and of these the ones that have it otherwise. */
interface Nested {
  trials: Set<string>;
  right: Set<string>;
  longer: Map<number, number>;
}

interface Study {
  protocolSection: {
    identificationModule: { nctId: string; briefTitle?: string; officialTitle?: string; acronym?: string };
    conditionsModule?: { conditions?: string[]; keywords?: string[] };
    armsInterventionsModule?: { interventions?: { name?: string; otherNames?: string[] }[] };
  };
  derivedSection?: Record<string, { meshes?: { term: string }[] }>;
}

function textsOf({ protocolSection }: Study): string[] {
  const { identificationModule: title, conditionsModule: about, armsInterventionsModule: arms } = protocolSection;
  const interventions = (arms?.interventions ?? []).flatMap(({ name, otherNames = [] }) => [name, ...otherNames]);
  return [title.briefTitle, title.officialTitle, title.acronym]
    .concat(about?.conditions, about?.keywords, interventions)
    .filter((text) => text !== undefined);
}

class Reader {
  readonly #terminology: Terminology;
  readonly #names: Map<string, Set<number>>;

  constructor(terminology: Terminology) {
    this.#terminology = terminology;
    this.#names = namesOf(terminology);
  }

  /** A longer name that is neither the concept nor a kind of it, nor above it. */
  #isAnother(longer: number, shorter: number): boolean {
    const { broaderOf } = this.#terminology;
    const above = (one: number) => broaderOf.call(this.#terminology, one);
    return longer !== shorter && !above(longer).includes(shorter) && !above(shorter).includes(longer);
  }

  /** Pairs of names of the whole terminology where one lies inside another of another concept. */
  pairs(): number {
    let pairs = 0;
    for (const [name, concepts] of this.#names) {
      const words = name.split(' ');
      const whole = { from: 0, to: words.length };
      const inside = placesIn(words, this.#names).filter((one) => isWithin(one, { ...whole, concept: 0 }));
      for (const longer of concepts) pairs += inside.filter(({ concept }) => this.#isAnother(longer, concept)).length;
    }
    return pairs;
  }

  read(studies: readonly Study[]): Map<number, Nested> {
    const found = new Map<number, Nested>();
    for (const study of studies) this.#readOne(study, found);
    return found;
  }

  #readOne(study: Study, found: Map<number, Nested>): void {
    const id = study.protocolSection.identificationModule.nctId;
    const named = new Set<number>();
    const inside = new Map<number, number>();
    for (const text of textsOf(study)) {
      const words = plainWords(text);
      const places = placesIn(words, this.#names);
      for (const one of places) {
        const around = places.find((other) => isWithin(one, other) && this.#isAnother(other.concept, one.concept));
        if (around !== undefined) inside.set(one.concept, around.concept);
        else if (!NEGATING.has(words[one.from - 1] ?? '')) this.#addWithBroader(one.concept, named);
      }
    }
    const headings = Object.values(study.derivedSection ?? {}).flatMap(({ meshes = [] }) => meshes);
    for (const { term } of headings) this.#addWithBroader(this.#terminology.numberOfHeading(term), named);
    for (const [concept, longer] of inside) {
      const held = found.get(concept) ?? { trials: new Set(), right: new Set(), longer: new Map() };
      found.set(concept, held);
      held.trials.add(id);
      if (named.has(concept)) held.right.add(id);
      held.longer.set(longer, (held.longer.get(longer) ?? 0) + 1);
    }
  }

  #addWithBroader(concept: number | undefined, to: Set<number>): void {
    if (concept === undefined) return;
    for (const one of [concept, ...this.#terminology.broaderOf(concept)]) to.add(one);
  }
}

export const nestedNames: Measure = {
  title: 'Names inside longer names',
  sample:
    'Every pair of names of the bundled terminology and the reviewed table where one lies inside the name of another concept that is neither a kind of it nor above it, on the 1,562 held ClinicalTrials.gov records: for each shorter concept the trials that have a longer name around it.',
  method:
    'The held records are published and served; `/api/v1/trials/search?q=&match=concepts` is asked for the shorter concept by its heading. A trial is right where a title, the acronym, a condition, a keyword or a name of an intervention has a name of the concept or of a kind of it outside of any longer name and not behind non, un, anti, not or without, or where the registry attached its MeSH term or one that the terminology has below it. n counts the shorter concepts of a line, the shares trials of each.',
  checked: {
    by: 'a scan of the texts by the writer of the measure',
    on: '2026-11-28',
    how: 'the scan looks at every place of every name in plain words, by nothing of the index but the list of names, what is broader and which spellings are one word; nobody has read the trials',
  },
  async measure(records) {
    const terminology = readTerminology(await bundledTerminology());
    const reader = new Reader(terminology);
    const read = ctgovPayloads(records.data).map((line) => JSON.parse(line) as Study);
    const studies = new Map(read.map((study) => [study.protocolSection.identificationModule.nctId, study]));
    const nested = reader.read([...studies.values()]);
    const served = await records.served();
    const rows: (Row & { trials: number })[] = [];
    for (const [concept, { trials, right, longer }] of nested) {
      const { heading } = terminology.concepts[concept]!;
      const listed = await idsOf(served, heading, 'concepts');
      const { precision, recall, misses } = compared(new Set([...listed].filter((id) => trials.has(id))), right);
      const [around] = [...longer].sort((a, b) => b[1] - a[1])[0]!;
      const what = `${heading}, inside ${terminology.concepts[around]!.heading}${longer.size > 1 ? ' and others' : ''}`;
      rows.push({ what, n: 1, precision, recall, misses, trials: trials.size });
    }
    rows.sort((a, b) => b.trials - a.trials || (a.what < b.what ? -1 : 1));
    const whole: Row = {
      what: 'all shorter concepts',
      n: rows.length,
      precision: sum(rows.map(({ precision }) => precision as Share)),
      recall: sum(rows.map(({ recall }) => recall as Share)),
      misses: rows
        .flatMap(({ what, misses }): Miss[] => misses.map(({ id, why }) => ({ id, why: `${what}, ${why}` })))
        .slice(0, 40),
    };
    return {
      rows: [whole, ...rows.slice(0, SHOWN).map(({ trials, ...row }) => ({ ...row, misses: [] }))],
      remarks: [
        `The terminology has ${reader.pairs().toLocaleString('en-GB')} such pairs of names; ${rows.length} shorter concepts of them are met in the held records.`,
        'The scan and the index follow one rule, so this holds the index to the rule; whether the rule is what a reader means is measured by [natural queries](#natural-queries).',
      ],
    };
  },
};
