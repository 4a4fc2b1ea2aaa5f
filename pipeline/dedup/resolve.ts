import { REGISTRY_IDS } from '../../contract/ids.ts';
import type { Evidence, RegistrationRef } from './evidence.ts';
import { compareRegistrations, compareText } from './evidence.ts';
import { type RejectionRule, SUPERSEDED_NUMBER } from './rules.ts';
import { unusedId } from './short-hash.ts';
import type { SupersedingClaim } from './superseded.ts';

export type LinkDirection = 'one-way' | 'mutual' | 'shared';

/** Evidence with its verdict. */
export interface Link extends Omit<Evidence, 'counts' | 'relates' | 'standsFor'> {
  linkId: string;
  direction: LinkDirection;
  verdict: 'accepted' | 'rejected';
  /** Why rejected; null when accepted. */
  reason: RejectionRule | null;
  conflict: boolean;
}

/** Two held registrations that evidence connects and that do not both count in one trial. */
export interface Relation {
  from: RegistrationRef;
  to: RegistrationRef;
  /** `superseded`: the registry keeps `to` in place of `from`. */
  kind: 'related' | 'superseded';
  reason: RejectionRule | typeof SUPERSEDED_NUMBER;
  /** The first link that gives this reason. */
  linkId: string;
}

/** A registration of ClinicalTrials.gov and one of ISRCTN that are the same trial. */
export type Merge = readonly [RegistrationRef, RegistrationRef];

export interface Resolution {
  links: Link[];
  relations: Relation[];
  merges: Merge[];
  /** Pairs across the registries by their strongest evidence, whatever the verdict. */
  pairs: { mutual: number; oneWay: number; shared: number };
}

const MUTUAL = 3;
const ONE_WAY = 2;
const SHARED = 1;
/** Only numbers that several records of a registry hold, which is no evidence. */
const NOTHING = 0;
type Strength = typeof MUTUAL | typeof ONE_WAY | typeof SHARED | typeof NOTHING;

/** Two registrations that evidence connects, `a` before `b` in the order of the registries and ids. */
interface Pair {
  a: RegistrationRef;
  b: RegistrationRef;
  evidence: Evidence[];
  mutual: boolean;
  strength: Strength;
  /** Whether superseded records alone say it: then it is weighed after everything that the present ones say. */
  isFormer: boolean;
  verdict: 'accepted' | RejectionRule;
}

// Ids carry their registry as a prefix, so an id alone names an end. A pair joins the two registries that there are;
// with a third registry, a trial could be more than a pair and this resolution would need a new design.
if (REGISTRY_IDS.length !== 2) throw new Error('the resolution of pairs works for two registries only');

/**
 * Decides which registrations are one trial. Pure, and independent of the order of `evidence`: rows are sorted first,
 * and a pair's fate depends on sets only. At most one registration of each registry is in a trial; every merge has an
 * accepted link and every accepted link lies inside a merge, or leads to a superseded record of the trial. Rules: data/rules/dedup.json.
 */
export function resolveEvidence(evidence: readonly Evidence[], claims: readonly SupersedingClaim[] = []): Resolution {
  const pairs = formPairs(evidence);
  const across = pairs.filter((pair) => pair.a.registry !== pair.b.registry);
  decide(across);
  const conflicting = conflictingReferences(across);

  const links: Link[] = [];
  const relations: Relation[] = [];
  const linkIds = new Set<string>();
  for (const pair of pairs) {
    const pairLinks = pair.evidence.map((item) => toLink(item, pair, conflicting, linkIds));
    links.push(...pairLinks);
    if (pair.verdict === 'accepted') continue;
    const { verdict } = pair;
    const cause = pairLinks.find((link) => link.reason === verdict);
    if (cause === undefined) throw new Error(`no link explains why ${pair.a.id} and ${pair.b.id} were not merged`);
    relations.push({ from: cause.from, to: cause.to, kind: 'related', reason: verdict, linkId: cause.linkId });
  }
  const ordered = claims.toSorted((x, y) => compareRegistrations(x.from, y.from) || compareRegistrations(x.to, y.to));
  for (const claim of ordered) {
    const link = claimLink(claim, linkIds);
    links.push(link);
    const { from, to, linkId, reason } = link;
    if (claim.isSuperseded)
      relations.push({ from: to, to: from, kind: 'superseded', reason: SUPERSEDED_NUMBER, linkId });
    if (reason !== null) relations.push({ from, to, kind: 'related', reason, linkId });
  }
  const countOf = (strength: Strength): number => across.filter((pair) => pair.strength === strength).length;
  return {
    links,
    relations,
    merges: across.filter((pair) => pair.verdict === 'accepted').map((pair): Merge => [pair.a, pair.b]),
    pairs: { mutual: countOf(MUTUAL), oneWay: countOf(ONE_WAY), shared: countOf(SHARED) },
  };
}

/** Pairs in order of their ends, each with its evidence in order of its key columns. */
function formPairs(evidence: readonly Evidence[]): Pair[] {
  const byEnds = new Map<string, Pair>();
  for (const item of evidence) {
    const { standsFor: from, to } = item;
    const [a, b] = compareRegistrations(from, to) < 0 ? [from, to] : [to, from];
    const key = `${a.id} ${b.id}`;
    const undecided = { mutual: false, isFormer: false, strength: NOTHING, verdict: 'same-registry' } as const;
    const pair = byEnds.get(key) ?? { a, b, evidence: [], ...undecided };
    pair.evidence.push(item);
    byEnds.set(key, pair);
  }
  const pairs = [...byEnds.values()].sort((x, y) => compareRegistrations(x.a, y.a) || compareRegistrations(x.b, y.b));
  for (const pair of pairs) {
    pair.evidence = pair.evidence
      .map((item) => ({ item, key: evidenceKey(item) }))
      .sort((x, y) => compareText(x.key, y.key))
      .map(({ item }) => item);
    const declarers = new Set(pair.evidence.filter(isReference).map((item) => item.standsFor.id));
    pair.mutual = declarers.size === 2;
    pair.isFormer = pair.evidence.every((item) => item.from.id !== item.standsFor.id);
    if (pair.a.registry === pair.b.registry) continue;
    if (pair.evidence.some((item) => item.relates)) {
      pair.verdict = 'stated-relation';
      continue;
    }
    if (declarers.size > 0) pair.strength = pair.mutual ? MUTUAL : ONE_WAY;
    else pair.strength = pair.evidence.some((item) => item.counts) ? SHARED : NOTHING;
    pair.verdict = 'shared-by-many';
  }
  return pairs;
}

/** Gives each pair its verdict, strongest evidence first. Pairs that a record says are different studies have theirs. */
function decide(pairs: readonly Pair[]): void {
  const merged = new Set<string>();
  const blocked = new Set<string>();
  const freeOf = (candidates: readonly Pair[]): Pair[] => {
    const free: Pair[] = [];
    for (const pair of candidates) {
      if (merged.has(pair.a.id) || merged.has(pair.b.id)) pair.verdict = 'stronger-partner';
      else if (blocked.has(pair.a.id) || blocked.has(pair.b.id)) pair.verdict = 'ambiguous';
      else free.push(pair);
    }
    return free;
  };
  const close = (pair: Pair, verdict: 'accepted' | 'ambiguous'): void => {
    pair.verdict = verdict;
    for (const { id } of [pair.a, pair.b]) (verdict === 'accepted' ? merged : blocked).add(id);
  };
  const present = [MUTUAL, ONE_WAY, SHARED].map((strength) => ({ strength, isFormer: false }));
  const former = [ONE_WAY, SHARED].map((strength) => ({ strength, isFormer: true }));
  for (const { strength, isFormer } of [...present, ...former]) {
    let free = freeOf(pairs.filter((pair) => pair.strength === strength && pair.isFormer === isFormer));
    if (strength === ONE_WAY && !isFormer) {
      const named = new Set(namedByIsrctn(free, pairs));
      for (const pair of named) close(pair, 'accepted');
      free = freeOf(free.filter((pair) => !named.has(pair)));
    }
    const partners = countPartners(free);
    // In a connected group of two or more pairs, each pair shares an end with another. Pairs that share no end are
    // therefore exactly the groups of one.
    for (const pair of free) {
      const alone = partners.get(pair.a.id) === 1 && partners.get(pair.b.id) === 1;
      close(pair, alone ? 'accepted' : 'ambiguous');
    }
  }
}

/** Pairs that meet others at their ISRCTN record only, which itself names exactly this one held NCT number. */
function namedByIsrctn(free: readonly Pair[], pairs: readonly Pair[]): Pair[] {
  const named = referencesOf(pairs);
  const partners = countPartners(free);
  return free.filter(({ a, b }) => {
    const [only, ...others] = named.get(b.id) ?? [];
    return only === a.id && others.length === 0 && partners.get(a.id) === 1 && partners.get(b.id) !== 1;
  });
}

function countPartners(pairs: readonly Pair[]): Map<string, number> {
  const partners = new Map<string, number>();
  for (const { a, b } of pairs) for (const { id } of [a, b]) partners.set(id, (partners.get(id) ?? 0) + 1);
  return partners;
}

/** The records of the other registry that each record names as the same study. */
function referencesOf(pairs: readonly Pair[]): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  for (const item of pairs.flatMap((pair) => pair.evidence)) {
    if (!isReference(item) || item.relates) continue;
    named.set(item.standsFor.id, (named.get(item.standsFor.id) ?? new Set()).add(item.to.id));
  }
  return named;
}

/**
 * References in conflict, as `<from> <to>`: A names B, B names another record of A's registry and not A. Both A's
 * reference and B's are in conflict.
 */
function conflictingReferences(pairs: readonly Pair[]): Set<string> {
  const named = referencesOf(pairs);
  const conflicting = new Set<string>();
  for (const [a, targets] of named) {
    for (const b of targets) {
      const others = named.get(b);
      if (others === undefined || others.has(a)) continue;
      conflicting.add(`${a} ${b}`);
      for (const other of others) conflicting.add(`${b} ${other}`);
    }
  }
  return conflicting;
}

function toLink(item: Evidence, pair: Pair, conflicting: ReadonlySet<string>, linkIds: Set<string>): Link {
  const { counts, relates, standsFor, ...columns } = item;
  const linkId = unusedId('ln_', evidenceKey(item), (id) => linkIds.has(id));
  linkIds.add(linkId);
  const reason = reasonOf(pair, { counts, relates });
  return {
    ...columns,
    linkId,
    direction: !isReference(item) ? 'shared' : pair.mutual ? 'mutual' : 'one-way',
    verdict: reason === null ? 'accepted' : 'rejected',
    reason,
    conflict: isReference(item) && conflicting.has(`${standsFor.id} ${item.to.id}`),
  };
}

/** The registry's statement that the record `from` took the place of the record `to`. */
function claimLink({ from, to, field, rawValue, isDecided, mutual }: SupersedingClaim, linkIds: Set<string>): Link {
  const columns = {
    ...({ kind: 'explicit-cross-reference', rule: SUPERSEDED_NUMBER, from, to, field, rawValue } as const),
    ...{ toField: null, toRawValue: null, identifierType: 'nct', identifierValue: to.id },
  };
  const linkId = unusedId('ln_', evidenceKey(columns), (id) => linkIds.has(id));
  linkIds.add(linkId);
  const verdict = isDecided ? 'accepted' : 'rejected';
  const reason = isDecided ? null : 'ambiguous';
  return { ...columns, linkId, direction: mutual ? 'mutual' : 'one-way', verdict, reason, conflict: false };
}

/** Why a link of the pair is rejected; null where it is accepted. */
function reasonOf({ a, b, verdict }: Pair, { counts, relates }: Pick<Evidence, 'counts' | 'relates'>) {
  if (relates && a.registry !== b.registry) return 'stated-relation';
  if (!counts) return 'shared-by-many';
  return verdict === 'accepted' ? null : verdict;
}

function isReference(item: Evidence): boolean {
  return item.kind === 'explicit-cross-reference';
}

/** The columns that tell one piece of evidence from another; a link's id is a hash of them. */
function evidenceKey(item: Omit<Evidence, 'standsFor' | 'counts' | 'relates'>): string {
  return JSON.stringify([
    item.kind,
    item.from.registry,
    item.from.id,
    item.to.registry,
    item.to.id,
    item.field,
    item.rawValue,
    item.toField,
    item.toRawValue,
    item.identifierType,
    item.identifierValue,
  ]);
}
