import type { ModalityField, ModalityId } from '../../contract/declared/modality.ts';
import type { ModalityRecord } from '../../contract/schemas/trials/modality.ts';
import { type Hit, type KnownWord, type Phrases, type Reading, TermMatcher } from './matcher.ts';
import type { FurtherTexts, Intervention, TrialTexts } from './trial-texts.ts';
import type { ModalityVocabulary } from './vocabulary.ts';

/** Evidence that an intervention belongs to a group: the words `start` to `end` of one text. */
interface Evidence extends Hit {
  field: ModalityField;
  words: readonly { written: string }[];
}

/** Separators between the parts of a name; one part may be the placebo. */
const SEPARATORS = /[,;+/.]|\b(?:or|and|plus|versus|vs|then|to match)\b/i;
/** Types whose interventions are a substance, so that more is read of them until it is told. */
const SUBSTANCE_TYPES: ReadonlySet<string> = new Set(['drug', 'biological', 'genetic', 'combination_product']);
/** Types of what is done that tell little, so that the description is read where the name tells nothing. */
const READ_LEAD: ReadonlySet<string> = new Set(['procedure', 'other']);
/** Most characters of a description's first sentence that are read as a name. */
const LEAD_CHARACTERS = 200;
/** Types of what is done whose trial titles are read too. */
const READ_TITLES: ReadonlySet<string> = new Set(['device', 'behavioral', 'other', 'combination_product']);
/** A title that names what is compared. */
const COMPARED = /\b(?:versus|vs)\b/i;
/** What of a title follows is whom it is given to. */
const WHOM =
  /\b(?:in|for|among|of) (?:\w+ ){0,3}(?:patients|participants|subjects|adults|children|people|women|men|volunteers|recipients|individuals|survivors|infants|adolescents|veterans)\b|\b(?:following|after|undergoing|receiving|treated with|who)\b/i;
/** What the description of usual care mentions as an option, to the end of its clause. */
const OPTION =
  /\b(?:may|might|can|could) (?:also )?(?:include|receive|undergo|be (?:given|used|offered|considered|added))\b[^.;]*/gi;
const TESTS: ModalityId = 'diagnostic';
const DEVICE: ModalityId = 'device';
/** Registry types of arms that get what only looks like the treatment. */
const INERT_ARMS: ReadonlySet<string | null> = new Set(['sham_comparator', 'placebo_comparator']);
/** Most terms shown for a group; each spelling of a term is shown once. */
const SHOWN_MAX_TERMS = 20;

/** A group of the vocabulary as the rules read it; sets of groups are bits. */
interface Group {
  id: ModalityId;
  isSubstance: boolean;
  /** Whether prose is read for it even where the name told what is given or done. */
  isInProse: boolean;
  /** Whether the first sentence of a description is read for it as a name. */
  lead: boolean;
  beside: ReadonlySet<string>;
  notInTypes: ReadonlySet<string>;
  inAnyType: ReadonlySet<string>;
  yieldsTo: number;
  typeYieldsTo: number;
  typeYieldsToTerms: ReadonlySet<string>;
}

/** Infers modalities from a trial's texts by the vocabulary; equal texts get equal labels. */
export class ModalityInference {
  readonly #matcher: TermMatcher;
  readonly #groups: readonly Group[];
  readonly #byType = new Map<string, number>();
  readonly #byMesh = new Map<string, number>();

  constructor(vocabulary: ModalityVocabulary) {
    const { groups } = vocabulary;
    this.#matcher = new TermMatcher(vocabulary);
    const bitsOf = (ids: readonly string[]): number =>
      groups.reduce((bits, { id }, place) => (ids.includes(id) ? bits | (1 << place) : bits), 0);
    this.#groups = groups.map((group) => ({
      id: group.id,
      isSubstance: group.kind === 'substance',
      isInProse: group.kind === 'act' && group.proseTerms.length > 0,
      lead: group.lead,
      beside: new Set(group.beside),
      notInTypes: new Set(group.notInTypes),
      inAnyType: new Set(group.inAnyType),
      yieldsTo: bitsOf(group.yieldsTo),
      typeYieldsTo: bitsOf(group.typeYieldsTo),
      typeYieldsToTerms: new Set(group.typeYieldsToTerms),
    }));
    for (const [place, { types, mesh }] of groups.entries()) {
      for (const type of types) this.#byType.set(type, place);
      for (const term of mesh) this.#byMesh.set(term, place);
    }
  }

  /** Bit n is set if the trial has the label of group n. */
  mask(trial: TrialTexts): number {
    let mask = 0;
    for (const intervention of trial.interventions) mask |= groupsOf(this.#infer(intervention, trial));
    return mask | groupsOf(this.#compared(mask, trial));
  }

  labels(trial: TrialTexts): ModalityRecord['labels'] {
    const evidence = trial.interventions.flatMap((intervention) => this.#infer(intervention, trial));
    evidence.push(...this.#compared(groupsOf(evidence), trial));
    return this.#groups.flatMap(({ id }, place) => {
      const own = evidence.filter(({ group }) => group === place);
      if (own.length === 0) return [];
      const terms = own.map(({ term, field, words, start, end }) => {
        const text = words.slice(start, end).map(({ written }) => written);
        return { term, text: text.join(' '), field };
      });
      const distinct = new Map(terms.map((one) => [JSON.stringify(one), one]));
      return [{ id, matchedTerms: [...distinct.values()].slice(0, SHOWN_MAX_TERMS) }];
    });
  }

  #infer(intervention: Intervention, trial: TrialTexts): Evidence[] {
    const { type, name, otherNames, description } = intervention;
    const named = name === null ? [] : this.#active(name);
    // A placebo's other names are no substance that is given.
    if (name !== null && named.length === 0) return [];
    const isDrug = type === null || SUBSTANCE_TYPES.has(type);
    if (name !== null && !isDrug && isSham(name, trial.further())) return [];
    const found: Evidence[] = [];
    this.#add(named, 'name', 'name', found);
    for (const other of otherNames) this.#add(this.#active(other), 'otherNames', 'name', found);
    const prose = name === null && description !== null ? this.#active(description) : [];
    this.#add(prose, 'description', 'prose', found);
    // Prose that speaks only of a placebo is no evidence, just as a name that does.
    if (name === null && description !== null && prose.length === 0) return [];
    const group = type === null ? undefined : this.#byType.get(type);
    if (name !== null && found.length === 0 && this.#isUnnamed(named, isDrug || type === 'other')) {
      // Its type is no evidence either, but what its description names is given or done.
      this.#add(this.#descriptions(name, trial.further(), withoutOptions), 'description', 'prose', found);
      return found.filter((hit) => this.#countsIn(hit, type));
    }
    if (name !== null && !(isDrug && this.#tellsSubstance(found))) {
      if (isDrug) this.#readSubstance(name, type, trial.further(), found);
      if (!isDrug || type === 'combination_product') this.#readActs(name, type ?? '', trial.further(), found);
    }
    if (name !== null && isDrug) this.#readBeside(name, trial, found);
    if (name !== null && this.#has(named, 'wholes')) {
      const parts = this.#descriptions(name, trial.further(), withoutOptions);
      this.#add(parts, 'description', 'prose', found, isSubstance);
    }
    const groups = groupsOf(found);
    const isTracer = this.#tellsSubstance(found) && this.#has(named, 'tracers');
    const kept = found.filter((hit) => {
      const { isSubstance, yieldsTo } = this.#groupOf(hit);
      return !(isTracer && isSubstance) && (yieldsTo & groups) === 0 && this.#countsIn(hit, type);
    });
    if (type === null || group === undefined) return kept;
    if (this.#groups[group]!.isSubstance && kept.length > 0) return kept;
    if (found.some((hit) => isInName(hit) && this.#doesTypeYield(group, hit))) return kept;
    return [...kept, { group, term: `type ${type}`, field: 'type', words: [{ written: type }], start: 0, end: 1 }];
  }

  /**
   * What the names of the arms and the titles compare, where the interventions tell nothing but tests: some records list only
   * what is measured.
   */
  #compared(told: number, { interventions, further }: TrialTexts): Evidence[] {
    const tests = this.#groups.findIndex(({ id }) => id === TESTS);
    if (interventions.length === 0 || (told & ~(1 << tests)) !== 0) return [];
    const { arms, titles } = further();
    const found: Evidence[] = [];
    const isWanted = ({ id }: Group): boolean => id !== TESTS;
    const labels = arms.length > 1 ? arms.flatMap(({ label }) => this.#active(givenPart(label))) : [];
    const compared = titles.filter((title) => COMPARED.test(title)).flatMap((title) => this.#active(givenPart(title)));
    this.#add(labels, 'arm', 'name', found, isWanted);
    this.#add(compared, 'title', 'name', found, isWanted);
    return found;
  }

  /** Whether the type of this group is no evidence where a term is in the name. */
  #doesTypeYield(group: number, hit: Evidence): boolean {
    const { typeYieldsTo, typeYieldsToTerms } = this.#groups[group]!;
    return (typeYieldsTo & (1 << hit.group)) !== 0 || typeYieldsToTerms.has(hit.term);
  }

  /**
   * Reads the description of something done for the acts that prose tells, and the titles for types that they are of. The
   * devices that the description of an exercise mentions are its equipment.
   */
  #readActs(name: string, type: string, further: FurtherTexts, found: Evidence[]): void {
    const isExercise = this.#has(this.#active(name), 'exercises');
    if (found.length === 0 && READ_LEAD.has(type)) {
      this.#add(this.#descriptions(name, further, leadOf), 'description', 'name', found, ({ lead }) => lead);
    }
    const isWanted = ({ id, isInProse }: Group): boolean => isInProse && !(isExercise && id === DEVICE);
    this.#add(this.#descriptions(name, further), 'description', 'prose', found, isWanted);
    if (READ_TITLES.has(type))
      this.#add(this.#ofTitles(further), 'title', 'prose', found, ({ isInProse }) => isInProse);
  }

  /** Reads what else tells the substance, until something does: its description, its arms, titles, forms and codes. */
  #readSubstance(name: string, type: string | null, further: FurtherTexts, found: Evidence[]): void {
    const own = this.#descriptions(name, further);
    const ofArms = this.#ofArms(name, further);
    const steps: [readonly KnownWord[][], ModalityField, Reading][] = [
      [own, 'description', 'prose'],
      [ofArms, 'arm', 'prose'],
      [this.#ofTitles(further), 'title', 'prose'],
      [this.#active(name), 'name', 'weak'],
      [own, 'description', 'weak'],
      [ofArms, 'arm', 'weak'],
    ];
    for (const [texts, field, reading] of steps) {
      // A description may list the parts of a combination, not all of them substances.
      const isList = field === 'description' && reading === 'prose';
      const isWanted = (group: Group): boolean => group.isSubstance || (isList && group.isInProse);
      // A nutrient or a tracer needs no title and no weak word beside it.
      if (field === 'title' && found.some((hit) => isInName(hit) && this.#countsIn(hit, type))) return;
      this.#add(texts, field, reading, found, isWanted);
      if (this.#tellsSubstance(found)) return;
      if (field === 'title' && found.some((hit) => this.#countsIn(hit, type))) return;
    }
    for (const term of further.mesh) {
      const group = this.#byMesh.get(term);
      if (group !== undefined) found.push({ group, term, field: 'mesh', words: [{ written: term }], start: 0, end: 1 });
    }
  }

  /** Reads the description, arms and titles for how a drug is given or what for, where its name lets expect that they say it. */
  #readBeside(name: string, trial: TrialTexts, found: Evidence[]): void {
    const named = found.filter(isInName);
    const wanted = new Set(this.#groups.filter(({ beside }) => named.some(({ term }) => beside.has(term))));
    if (wanted.size === 0) return;
    const isWanted = (group: Group): boolean => wanted.has(group);
    const further = trial.further();
    this.#add(this.#descriptions(name, further), 'description', 'prose', found, isWanted);
    this.#add(this.#ofArms(name, further), 'arm', 'prose', found, isWanted);
    this.#add(this.#ofTitles(further), 'title', 'prose', found, isWanted);
  }

  #ofArms(name: string, { arms }: FurtherTexts): KnownWord[][] {
    const given = arms.filter(({ interventionNames }) => interventionNames.some((text) => isOf(text, name)));
    return given.flatMap((arm) => [arm.label, arm.description].flatMap((text) => this.#active(text ?? '')));
  }

  #descriptions(name: string, { descriptions }: FurtherTexts, part = (text: string): string => text): KnownWord[][] {
    const own = descriptions.filter(({ names }) => names.includes(name));
    return own.flatMap(({ description }) => this.#active(part(description)));
  }

  #ofTitles({ titles }: FurtherTexts): KnownWord[][] {
    return titles.flatMap((title) => this.#active(givenPart(title)));
  }

  /** Adds the evidence in texts for the groups that are wanted. */
  #add(
    texts: readonly KnownWord[][],
    field: ModalityField,
    reading: Reading,
    found: Evidence[],
    isWanted: (group: Group) => boolean = () => true,
  ): void {
    for (const words of texts) {
      for (const hit of this.#matcher.hits(words, reading)) {
        if (isWanted(this.#groupOf(hit))) found.push({ ...hit, field, words });
      }
    }
  }

  #groupOf({ group }: Hit): Group {
    return this.#groups[group] as Group;
  }

  #countsIn(hit: Hit, type: string | null): boolean {
    const { notInTypes, inAnyType } = this.#groupOf(hit);
    return type === null || !notInTypes.has(type) || inAnyType.has(hit.term);
  }

  #tellsSubstance(found: readonly Evidence[]): boolean {
    return found.some((hit) => this.#groupOf(hit).isSubstance);
  }

  #has(texts: readonly KnownWord[][], phrases: Phrases): boolean {
    return texts.some((words) => this.#matcher.has(words, phrases));
  }

  /** Whether texts say only that something usual is given or done or, if it `mayBeDrug`, nothing in particular. */
  #isUnnamed(texts: readonly KnownWord[][], mayBeDrug: boolean): boolean {
    return this.#has(texts, 'usual') || (mayBeDrug && this.#has(texts, 'unnamed'));
  }

  /** The words of a text, without the parts that name a placebo or a sham. */
  #active(text: string): KnownWord[][] {
    const words = this.#matcher.wordsOf(text);
    if (words.length === 0) return [];
    if (!isInert(words)) return [words];
    return text
      .split(SEPARATORS)
      .map((part) => this.#matcher.wordsOf(part))
      .filter((part) => part.length > 0 && !isInert(part));
  }
}

function isSubstance(group: Group): boolean {
  return group.isSubstance;
}

function groupsOf(found: readonly Evidence[]): number {
  let groups = 0;
  for (const { group } of found) groups |= 1 << group;
  return groups;
}

function isInName({ field }: Evidence): boolean {
  return field === 'name' || field === 'otherNames';
}

/** Whether an arm's name of an intervention, with or without the registry's type before it, is this one. */
function isOf(text: string, name: string): boolean {
  return text === name || text.endsWith(`: ${name}`);
}

/** Whether only those get it who get a sham or placebo, while others get something else. */
function isSham(name: string, { arms }: FurtherTexts): boolean {
  const given = arms.filter(({ interventionNames }) => interventionNames.some((text) => isOf(text, name)));
  const isOtherGiven = arms.some(
    ({ type, interventionNames }) => !INERT_ARMS.has(type) && interventionNames.length > 0,
  );
  return isOtherGiven && given.length > 0 && given.every(({ type }) => INERT_ARMS.has(type));
}

/** The part of a title before the words for whom, which often name what these had before. */
function givenPart(title: string): string {
  const at = title.search(WHOM);
  return at < 0 ? title : title.slice(0, at);
}

function withoutOptions(description: string): string {
  return description.replace(OPTION, '');
}

/** The first sentence of a description, which mostly says what is done. */
function leadOf(description: string): string {
  return (description.split(/(?<=\.)\s/, 1)[0] as string).slice(0, LEAD_CHARACTERS);
}

function isInert(words: readonly KnownWord[]): boolean {
  return words.some(({ inert }) => inert);
}
