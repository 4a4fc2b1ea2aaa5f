import { addedId } from '../../contract/declared/council.ts';
import type { AmendmentKind } from '../../contract/ids.ts';
import { COUNCIL_IN_EFFECT_MAX_ITEMS } from '../../contract/limits/limits.ts';
import type { InEffect } from '../../contract/schemas/board/council.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import { ORIGIN, type Proposed, proposedIn } from './amendment.ts';
import { lastTurn, ratifiedRows } from './council-store.ts';
import type { AmendmentRow } from './tables.ts';

/** What the council has put into effect, by the clock. */

/** An amendment that is ratified, was, or will be by the clock alone; never a revert. Times in microseconds. */
export type Ratified = Proposed & {
  id: string;
  /** Id of the objective or question that it adds; null for the other kinds. */
  adds: string | null;
  subject: string | null;
  rationale: string;
  falsifier: string;
  since: number;
  revertedAt: number | null;
};
export type RatifiedOf<Kind extends AmendmentKind> = Extract<Ratified, { kind: Kind }>;

/** The council at one moment. */
export interface CouncilView {
  /** In the order in which they took effect; of several with one subject the last. */
  inEffect: readonly Ratified[];
  /** Ids of objectives and questions in effect, and those that ever were. */
  objectives: ReadonlySet<string>;
  questions: ReadonlySet<string>;
  onceObjectives: ReadonlySet<string>;
  onceQuestions: ReadonlySet<string>;
}

/** What was read after one turn, and the view made from it, which holds from one instant until another. */
interface Known {
  turn: string;
  turnedAt: number;
  ratified: readonly Ratified[];
  view: { from: number; until: number; of: CouncilView } | null;
}

/** A cache by connection: everything in it can be read again from the store. */
const KNOWN = new WeakMap<object, Known>();

/**
 * The council at `now` (microseconds). Costs one indexed row while nothing was decided since the last read. Rejects as
 * the store does.
 */
export async function councilView(db: Reader, now: number): Promise<CouncilView> {
  const known = await ratifiedNow(db);
  // A decision that is stored is in effect even where the clock stands behind its time.
  const at = Math.max(now, known.turnedAt);
  if (known.view === null || at < known.view.from || at >= known.view.until) {
    known.view = { from: at, until: nextChange(known.ratified, at), of: viewAt(known.ratified, at) };
  }
  return known.view.of;
}

/** The addition of one kind that is known under this id, if it is in effect. */
export function inEffectById<Kind extends AmendmentKind>(
  view: CouncilView,
  kind: Kind,
  id: string,
): RatifiedOf<Kind>[] {
  return view.inEffect.filter((one): one is RatifiedOf<Kind> => one.kind === kind && one.adds === id);
}

/** What is in effect of one kind, longest in effect first, as many as lists show. */
export function shownOf<Kind extends AmendmentKind>({ inEffect }: CouncilView, kind: Kind): RatifiedOf<Kind>[] {
  const ofKind = inEffect.filter((amendment): amendment is RatifiedOf<Kind> => amendment.kind === kind);
  return ofKind.slice(0, COUNCIL_IN_EFFECT_MAX_ITEMS);
}

export function presentInEffect(view: CouncilView): InEffect {
  const head = ({ id, since }: Ratified) => ({ amendmentId: id, since: toIso(since), origin: ORIGIN });
  return {
    objectives: shownOf(view, 'objective').map((one) => ({
      ...head(one),
      id: one.adds!,
      title: one.proposal.title,
      level: levelOf(one),
      effort: effortOf(one),
    })),
    openQuestions: shownOf(view, 'open_question').map((one) => ({
      ...head(one),
      id: one.adds!,
      question: one.proposal.question,
      level: levelOf(one),
      effort: effortOf(one),
    })),
    norms: shownOf(view, 'norm').map((one) => ({ ...head(one), ...one.proposal })),
    canonicalMethods: shownOf(view, 'canonical_method').map((one) => ({ ...head(one), ...one.proposal })),
    realityPriorities: shownOf(view, 'reality_priority').map((one) => ({ ...head(one), ...one.proposal })),
    acceptanceTemplates: shownOf(view, 'acceptance_template').map((one) => ({ ...head(one), ...one.proposal })),
    glossary: shownOf(view, 'glossary').map((one) => ({ ...head(one), ...one.proposal })),
    total: view.inEffect.length,
  };
}

type AddedWork = RatifiedOf<'objective'> | RatifiedOf<'open_question'>;

export function levelOf({ proposal }: AddedWork) {
  return proposal.level ?? 'intermediate';
}

export function effortOf({ proposal }: AddedWork) {
  return proposal.effort ?? 'hours';
}

async function ratifiedNow(db: Reader): Promise<Known> {
  const last = await lastTurn(db);
  const turn = last === null ? '' : `${last.at} ${last.by}`;
  const known = KNOWN.get(db.source);
  if (known?.turn === turn) return known;
  const ratified = turn === '' ? [] : (await ratifiedRows(db)).map(ratifiedOf);
  const fresh: Known = { turn, turnedAt: last?.at ?? 0, ratified, view: null };
  KNOWN.set(db.source, fresh);
  return fresh;
}

function ratifiedOf(row: AmendmentRow): Ratified {
  return {
    ...proposedIn(row),
    id: row.id,
    adds: row.kind === 'objective' || row.kind === 'open_question' ? addedId(row.id) : null,
    subject: row.subject,
    rationale: row.rationale,
    falsifier: row.falsifier,
    since: row.closes_at,
    revertedAt: row.reverted_at,
  };
}

/** The first instant after `at` at which anything comes into effect or leaves it. */
function nextChange(ratified: readonly Ratified[], at: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { since, revertedAt } of ratified) {
    if (since > at) next = Math.min(next, since);
    if (revertedAt !== null && revertedAt > at) next = Math.min(next, revertedAt);
  }
  return next;
}

function viewAt(ratified: readonly Ratified[], at: number): CouncilView {
  const once = ratified.filter(({ since }) => since <= at);
  const holding = once.filter(({ revertedAt }) => revertedAt === null || revertedAt > at);
  const lastOf = new Map(
    holding.flatMap(({ kind, subject, id }) => (subject === null ? [] : [[`${kind} ${subject}`, id]])),
  );
  const ids = (of: readonly Ratified[], kind: AmendmentKind) =>
    new Set(of.filter((one) => one.kind === kind).flatMap(({ adds }) => adds ?? []));
  return {
    inEffect: holding.filter(({ kind, subject, id }) => subject === null || lastOf.get(`${kind} ${subject}`) === id),
    objectives: ids(holding, 'objective'),
    questions: ids(holding, 'open_question'),
    onceObjectives: ids(once, 'objective'),
    onceQuestions: ids(once, 'open_question'),
  };
}
