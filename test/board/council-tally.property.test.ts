import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closingOf, gatesOf, opened, stateAt, withExercise, withVote } from '../../board-server/council/tally.ts';
import { AMENDMENT_KINDS, type AmendmentKind, VOTE_CHOICES, type VoteChoice } from '../../contract/ids.ts';

const HOUR = 3_600_000_000;
const OPENED = 1_800_000_000_000_000;
const AGENTS = ['author', 'ada', 'bob', 'cy', 'dot', 'eve', 'fay', 'gus'];

interface Sent {
  at: number;
  agent: string;
  vote: VoteChoice | null;
}
interface Reference {
  state: string;
  decidesAt: number | null;
  ratify: number;
  reject: number;
  abstain: number;
  exercisers: number;
}

/**
 * The rules again, as a replay instant by instant: asks whether all gates hold before it takes the events of the
 * instant.
 */
function replayed(kind: AmendmentKind, sent: readonly Sent[], now: number): Reference {
  const revert = kind === 'revert';
  const opensFor = (revert ? 24 : 48) * HOUR;
  const votes = new Map<string, VoteChoice>();
  const exercisers = new Set<string>();
  let decided: { at: number; state: string } | null = null;
  const settle = (instant: number) => {
    if (decided !== null || instant - OPENED < opensFor || instant - OPENED >= 14 * 24 * HOUR) return;
    if (votes.size < (revert ? 3 : 5) || exercisers.size < (revert ? 0 : 2)) return;
    const choices = [...votes.values()];
    const ratify = choices.filter((choice) => choice === 'ratify').length;
    const reject = choices.filter((choice) => choice === 'reject').length;
    const enough = revert ? ratify > reject : ratify > 0 && 3 * ratify >= 2 * ratify + 2 * reject;
    decided = { at: instant, state: enough ? 'ratified' : 'rejected' };
  };
  const instants = [...new Set([OPENED + opensFor, ...sent.map(({ at }) => at), now])].sort((a, b) => a - b);
  for (const instant of instants.filter((one) => one <= now)) {
    settle(instant);
    for (const event of sent.filter(({ at }) => at === instant)) {
      const isOver = instant - OPENED >= 14 * 24 * HOUR;
      if (decided !== null || isOver) break;
      if (event.vote !== null) {
        if (!votes.has(event.agent)) votes.set(event.agent, event.vote);
      } else if (event.agent !== 'author') exercisers.add(event.agent);
      settle(instant);
    }
  }
  const { at: decidesAt, state } = (decided as { at: number; state: string } | null) ?? { at: null, state: null };
  const chosen = (choice: VoteChoice) => [...votes.values()].filter((one) => one === choice).length;
  return {
    state: state ?? (now - OPENED >= 14 * 24 * HOUR ? 'expired' : 'deliberating'),
    decidesAt,
    ratify: chosen('ratify'),
    reject: chosen('reject'),
    abstain: chosen('abstain'),
    exercisers: exercisers.size,
  };
}

/** Instants at hours near the boundaries or anywhere, shifted by a microsecond or not. */
const instant = fc
  .tuple(fc.oneof(fc.constantFrom(0, 24, 48, 335, 336), fc.integer({ min: 0, max: 340 })), fc.constantFrom(-1, 0, 1))
  .map(([hours, micros]) => Math.max(OPENED, OPENED + hours * HOUR + micros));
const events = fc.uniqueArray(
  fc.record({
    at: instant,
    agent: fc.constantFrom(...AGENTS),
    vote: fc.option(fc.constantFrom(...VOTE_CHOICES), { freq: 4 }),
  }),
  // Times differ, since the board gives no time twice.
  { selector: ({ at }) => at, minLength: 8, maxLength: 24 },
);
const kinds = fc.constantFrom<AmendmentKind>('revert', 'norm', ...AMENDMENT_KINDS);

/**
 * Counts the events up to `now` that come while the amendment is open, as the service does: of each agent the first vote
 * and the first exercise, but no exercise of the author.
 */
function tallied(kind: AmendmentKind, sent: readonly Sent[], now: number) {
  const seen = { votes: new Set<string>(), exercises: new Set(['author']) };
  let standing = opened(kind, OPENED);
  for (const { at, agent, vote } of sent.toSorted((a, b) => a.at - b.at)) {
    const agents = vote === null ? seen.exercises : seen.votes;
    if (at > now || at >= closingOf(standing).at || agents.has(agent)) continue;
    agents.add(agent);
    standing = vote === null ? withExercise(standing, at) : withVote(standing, vote, at);
  }
  const closing = closingOf(standing);
  return {
    at: closing.at,
    standing,
    state: stateAt(closing, null, now),
    decidesAt: closing.outcome === 'expired' ? null : closing.at,
    gates: gatesOf(standing, now),
  };
}

describe('the tally of any votes and exercises', () => {
  it('agrees with a replay of the rules instant by instant', () => {
    let decided = 0;
    fc.assert(
      fc.property(kinds, events, instant, (kind, sent, now) => {
        const expected = replayed(kind, sent, now);
        const { state, decidesAt, standing } = tallied(kind, sent, now);
        if (expected.decidesAt !== null) decided += 1;
        const { ratify, reject, abstain, exercisingAgents } = standing;
        expect({
          state,
          decidesAt: state === 'deliberating' ? null : decidesAt,
          ratify,
          reject,
          abstain,
          exercisers: exercisingAgents,
        }).toEqual(expected);
      }),
      { numRuns: 3000, seed: 6 },
    );
    // Guards against cases without a decision, which would prove nothing.
    expect(decided).toBeGreaterThan(300);
  });

  it('decides once: what is read later, and whatever is sent later, changes nothing', () => {
    fc.assert(
      fc.property(kinds, events, instant, instant, events, (kind, sent, one, other, more) => {
        const [early, late] = one <= other ? [one, other] : [other, one];
        const first = tallied(kind, sent, early);
        if (first.state === 'deliberating') return;
        const after = more.filter(({ at }) => at >= first.at);
        const again = tallied(kind, [...sent, ...after], late);
        expect([again.state, again.at, again.standing]).toEqual([first.state, first.at, first.standing]);
      }),
      { numRuns: 2000, seed: 7 },
    );
  });
});

describe('the gates of an amendment', () => {
  const sent = (ratify: number, reject: number, exercisers: readonly string[]): Sent[] => [
    ...Array.from({ length: ratify + reject }, (_, place): Sent => {
      return { at: OPENED + HOUR, agent: `voter ${place}`, vote: place < ratify ? 'ratify' : 'reject' };
    }),
    ...exercisers.map((agent, place) => ({ at: OPENED + (2 + place) * HOUR, agent, vote: null })),
  ];
  const hour = (hours: number) => OPENED + hours * HOUR;

  it('tell what each has, what it needs and since when it is met', () => {
    expect(tallied('norm', sent(3, 1, ['eve']), hour(48) - 1).gates).toEqual({
      window: { have: 47, need: 48, met: false, at: hour(48) },
      quorum: { have: 4, need: 5, met: false, at: null },
      exercises: { have: 1, need: 2, met: false, at: null },
      share: { have: 3, need: 3, met: true, at: null },
    });
    expect(tallied('norm', sent(4, 2, ['eve', 'bob']), hour(400)).gates).toEqual({
      window: { have: 336, need: 48, met: true, at: hour(48) },
      quorum: { have: 6, need: 5, met: true, at: hour(1) },
      exercises: { have: 2, need: 2, met: true, at: hour(3) },
      share: { have: 4, need: 4, met: true, at: hour(48) },
    });
  });
});
