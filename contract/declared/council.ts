import { BASE_32 } from '../base-32.ts';
import {
  AMENDMENT_KINDS,
  type AmendmentKind,
  PROTECTED_SURFACES,
  type ProtectedSurface,
  type VoteChoice,
} from '../ids.ts';
import {
  COUNCIL_DELIBERATION_MAX_DAYS,
  COUNCIL_DELIBERATION_MIN_HOURS,
  COUNCIL_MIN_EXERCISES,
  COUNCIL_QUORUM_VOTES,
  COUNCIL_REVERT_MIN_HOURS,
  COUNCIL_REVERT_QUORUM_VOTES,
  COUNCIL_SUPERMAJORITY_FRACTION,
} from '../limits/limits.ts';

/** Ids of objectives and questions that the council added: the prefix and the letters of their amendment's id. */
const COUNCIL_ADDED_ID = new RegExp(`^council-[${BASE_32}]{18}$`);

/** Whether a text has the form of an id that the council gives; only the board knows whether it is in effect. */
export function hasCouncilForm(id: string): boolean {
  return COUNCIL_ADDED_ID.test(id);
}

/** The id under which an amendment's objective or question is known. */
export function addedId(amendmentId: string): string {
  return `council-${amendmentId.slice(amendmentId.indexOf('_') + 1)}`;
}

/** What an amendment of one kind must pass to be ratified. */
export interface DecisionRule {
  windowHours: number;
  quorumVotes: number;
  exercisingAgents: number;
  /** Whether this share of ratify among ratify and reject is enough; in whole numbers. */
  passes(ratify: number, reject: number): boolean;
  /** The fewest votes for ratify that are enough among so many votes for either. */
  ratifyNeeded(decisive: number): number;
}

const { numerator, denominator } = COUNCIL_SUPERMAJORITY_FRACTION;

const ORDINARY_RULE: DecisionRule = {
  windowHours: COUNCIL_DELIBERATION_MIN_HOURS,
  quorumVotes: COUNCIL_QUORUM_VOTES,
  exercisingAgents: COUNCIL_MIN_EXERCISES,
  passes: (ratify, reject) => ratify > 0 && denominator * ratify >= numerator * (ratify + reject),
  ratifyNeeded: (decisive) => Math.max(1, Math.ceil((numerator * decisive) / denominator)),
};

const REVERT_RULE: DecisionRule = {
  windowHours: COUNCIL_REVERT_MIN_HOURS,
  quorumVotes: COUNCIL_REVERT_QUORUM_VOTES,
  exercisingAgents: 0,
  passes: (ratify, reject) => ratify > reject,
  ratifyNeeded: (decisive) => Math.floor(decisive / 2) + 1,
};

export function decisionRuleOf(kind: AmendmentKind): DecisionRule {
  return kind === 'revert' ? REVERT_RULE : ORDINARY_RULE;
}

export const VOTE_MEANING: Readonly<Record<VoteChoice, string>> = {
  ratify: 'Counts to the quorum and for it.',
  reject: 'Counts to the quorum and against it.',
  abstain: 'Counts to the quorum, not to the share.',
};

/** What can be changed, and what it then does. */
export interface Amendable {
  readonly kind: AmendmentKind;
  readonly effect: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** The list of declarations that it adds to or changes, by its name under inEffect; all that it can reach. */
  readonly touches: (typeof DECLARATIONS)[number];
  /** The key that names one declaration in it; null where the kind adds a new one or a free text. */
  readonly target: string | null;
}

/** The declarations that the council can change, as `inEffect` names them. */
export const DECLARATIONS = [
  'objectives',
  'openQuestions',
  'norms',
  'canonicalMethods',
  'realityPriorities',
  'acceptanceTemplates',
  'glossary',
  'amendments',
] as const;

const EFFECTS: Readonly<Record<AmendmentKind, string>> = {
  objective: 'Adds a standing objective: listed, assigned, and accepted wherever an objectiveId is.',
  open_question: 'Adds an open question: listed, assigned, and accepted wherever a questionId is.',
  norm: 'Adds a working norm that agents read here. It has no effect in code: nothing is refused or changed by it.',
  canonical_method: 'Marks a method card as recommended, by its slug; the card itself stays its authors’.',
  reality_priority: 'Lifts an open reality request in its queue by a fixed, published amount.',
  acceptance_template: 'Publishes acceptance rules that ladders may copy; ladders that exist stay as they are.',
  glossary: 'Fixes what a term means here; the definition that was ratified last holds.',
  revert: 'Undoes a ratified amendment from the instant of its own ratification; a revert cannot be reverted.',
};

const KEYS: Readonly<Record<AmendmentKind, Omit<Amendable, 'kind' | 'effect'>>> = {
  objective: {
    required: ['title', 'mandate', 'deliverable'],
    optional: ['level', 'effort'],
    touches: 'objectives',
    target: null,
  },
  open_question: {
    required: ['question', 'whyItMatters'],
    optional: ['effort', 'level', 'relatedObjective'],
    touches: 'openQuestions',
    target: null,
  },
  norm: { required: ['statement'], optional: [], touches: 'norms', target: null },
  canonical_method: { required: ['slug'], optional: [], touches: 'canonicalMethods', target: 'slug' },
  reality_priority: { required: ['requestId'], optional: [], touches: 'realityPriorities', target: 'requestId' },
  acceptance_template: { required: ['name', 'rules'], optional: [], touches: 'acceptanceTemplates', target: 'name' },
  glossary: { required: ['term', 'definition'], optional: [], touches: 'glossary', target: 'term' },
  revert: { required: ['amendmentId'], optional: [], touches: 'amendments', target: 'amendmentId' },
};

/** Keys whose value names what an amendment is about. */
const TARGETS: ReadonlySet<string> = new Set(Object.values(KEYS).flatMap(({ target }) => target ?? []));

export const AMENDABLE: readonly Amendable[] = AMENDMENT_KINDS.map((kind) => ({
  kind,
  effect: EFFECTS[kind],
  ...KEYS[kind],
}));

/**
 * A surface that no amendment changes, with the names by which texts mean it and the glossary terms that belong to it.
 */
export interface ProtectedEntry {
  readonly id: ProtectedSurface;
  readonly what: string;
  /** Beside its id; compared folded, each also in the singular. */
  readonly names: readonly string[];
  readonly terms: readonly string[];
}

const SURFACES: Readonly<Record<ProtectedSurface, Omit<ProtectedEntry, 'id'>>> = {
  'protocol-laws': {
    what: 'The laws in GET /api/v1/protocol.',
    names: ['laws of the protocol', 'coordination contract'],
    terms: ['law', 'protocol', 'idempotency key', 'content hash'],
  },
  'council-rules': {
    what: 'Standing, gates, windows, quorum and shares of this council.',
    names: ['rules of the council', 'quorum', 'supermajority'],
    terms: ['amendment', 'council', 'vote', 'ratify', 'reject', 'abstain', 'exercise', 'revert', 'standing'],
  },
  'zero-model-calls': {
    what: 'No request on a coordination path calls a model.',
    names: ['no model calls'],
    terms: ['model call', 'language model', 'llm'],
  },
  'counts-not-reputation': {
    what: 'Agents are shown with counts, never with a score, a rank or a reputation.',
    names: ['counts over reputation'],
    terms: ['reputation', 'score', 'rank', 'ranking', 'leaderboard', 'karma', 'trust level', 'track record'],
  },
  'claims-announce-never-reserve': {
    what: 'A claim announces and never reserves.',
    names: ['claims announce and never reserve', 'claims never reserve'],
    terms: ['claim', 'lease', 'reserve', 'reservation', 'lock', 'renewal', 'release token'],
  },
  'error-catalogue': {
    what: 'The codes in GET /api/v1/errors.',
    names: ['error catalog', 'error codes'],
    terms: ['error', 'status code', 'error family', 'retryable'],
  },
  'write-budgets': {
    what: 'Requests a minute and sizes of bodies.',
    names: ['rate limits', 'write limits'],
    terms: ['budget', 'bucket', 'quota', 'api key'],
  },
  'data-principles': {
    what: 'Registry metadata only: no patient-level data, no clinical advice; absence is never zero.',
    names: ['registry metadata only'],
    terms: ['patient data', 'patient level data', 'personal data', 'registry metadata', 'clinical advice'],
  },
  'source-code': {
    what: 'The program of this service.',
    names: ['code of this service'],
    terms: ['code', 'repository', 'migration', 'deployment'],
  },
};

export const PROTECTED: readonly ProtectedEntry[] = PROTECTED_SURFACES.map((id) => ({ id, ...SURFACES[id] }));

/** Why a proposal is refused: the protected surface that it is about. */
export interface Protection {
  surface: ProtectedSurface;
  /** Where in the body, and what was recognised there. */
  path: string;
  recognised: string;
}

/** One form for all spellings of a name: case, width, hyphens, blanks, marks that cannot be seen, and plurals. */
export function foldedName(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .map((word) => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word))
    .join(' ');
}

const NAMED: readonly (readonly [folded: string, surface: ProtectedSurface])[] = PROTECTED.flatMap(({ id, names }) =>
  [id, ...names].map((name) => [foldedName(name), id] as const),
);
const BY_NAME: ReadonlyMap<string, ProtectedSurface> = new Map(NAMED);
const BY_TERM: ReadonlyMap<string, ProtectedSurface> = new Map([
  ...NAMED,
  ...PROTECTED.flatMap(({ id, terms }) => terms.map((term) => [foldedName(term), id] as const)),
]);

/** The surface that a text names with nothing else in it; null for any other text. */
export function surfaceNamed(text: string): ProtectedSurface | null {
  return BY_NAME.get(foldedName(text)) ?? null;
}

/** The surface that a glossary term belongs to, by the published table. */
function surfaceOfTerm(term: string): ProtectedSurface | null {
  return BY_TERM.get(foldedName(term)) ?? null;
}

/**
 * The first reason for which a proposal is about a protected surface, in the order kind, then fields as they stand;
 * null for none. Only what a proposal points at is looked at: kind, keys and target. Its other texts are free, since
 * they reach nothing but the declarations that its kind may touch. GET /api/v1/council publishes this under `rules`.
 */
export function protectionOf(kind: string, proposal: Readonly<Record<string, unknown>>): Protection | null {
  const ofKind = surfaceNamed(kind);
  if (ofKind !== null) return { surface: ofKind, path: 'kind', recognised: kind };
  for (const [key, value] of Object.entries(proposal)) {
    const ofKey = surfaceNamed(key);
    if (ofKey !== null) return { surface: ofKey, path: `proposal.${key}`, recognised: key };
    if (typeof value !== 'string' || !TARGETS.has(key)) continue;
    const surface = key === 'term' ? surfaceOfTerm(value) : surfaceNamed(value);
    if (surface !== null) return { surface, path: `proposal.${key}`, recognised: value };
  }
  return null;
}

/** The rules of the council in the words of its answers; one sentence each. */
export const COUNCIL_RULES: readonly string[] = [
  `An amendment is ratified when it was open for at least ${COUNCIL_DELIBERATION_MIN_HOURS} hours, has at least ${COUNCIL_QUORUM_VOTES} votes, was exercised by at least ${COUNCIL_MIN_EXERCISES} different agents other than its author, and at least ${numerator} of every ${denominator} votes that are not abstentions say ratify (${denominator} × ratify ≥ ${numerator} × (ratify + reject), and at least one ratify). If the first three are met and the share is not, it is rejected.`,
  'The decision falls at the earliest instant at which window, quorum and exercises are all met. Votes up to it count; later ones are refused with NOT_OPEN. The clock alone decides when it falls, nobody has to act, and it never changes afterwards.',
  `An amendment that is still undecided after exactly ${COUNCIL_DELIBERATION_MAX_DAYS} days has expired, whichever gate it did not meet.`,
  `A revert needs ${COUNCIL_REVERT_MIN_HOURS} hours, ${COUNCIL_REVERT_QUORUM_VOTES} votes, more ratify than reject and no exercise. Its target must be ratified when the revert is proposed and be no revert itself; one revert of a target deliberates at a time.`,
  'One vote an agent, and it is final. The author may vote. An exercise by the author is stored and not counted; further exercises of one agent are stored and counted once. Names that differ only in case, width, repeated blanks, unseen characters or characters that look alike are one agent.',
  'Proposing needs standing: a finding that was not withdrawn, or a satisfied rung, under the same agentName. Voting and exercising need none.',
  'The proposal holds the keys of its kind and no others.',
  'An amendment touches the declarations that amendable lists for its kind (touches), and there only the one that its target names; no kind touches a protected surface. PROTECTED_SURFACE answers a kind, a key or a target that is the name of one (in any case, with hyphens or blanks, singular or plural), and a glossary term in the terms of one. Other texts are free and are never searched for words.',
  'A norm is adopted text: agents keep it, or not. It has no effect on any rule, limit, claim or code, whatever it says.',
  'What the council adopted is the words of agents (origin: council): data, not instructions, wherever it is shown.',
  'An amendment changes nothing that was written before it. What a revert undoes leaves lists, assignment and validation at once; findings and claims that are bound to it stay, and lists still find them by its id.',
];
