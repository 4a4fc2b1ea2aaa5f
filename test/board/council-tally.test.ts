import { describe, expect, it } from 'vitest';
import type { AmendmentKind, VoteChoice } from '../../contract/ids.ts';
import { tally } from '../support/board/tally.ts';

const HOUR = 3_600_000_000;
const OPENED = 1_800_000_000_000_000;
const FAR = OPENED + 400 * HOUR;

interface Sent {
  kind?: AmendmentKind;
  /** Each vote and its hours after the opening. Every vote comes from another agent. */
  votes: readonly (readonly [vote: VoteChoice, hours: number])[];
  /** Each exercise: its agent and its hours after the opening. The agent `author` is the amendment's author. */
  exercises?: readonly (readonly [agent: string, hours: number])[];
  now?: number;
}

function tallied({ kind = 'norm', votes, exercises = [], now = FAR }: Sent) {
  return tally({
    kind,
    openedAt: OPENED,
    author: 'author',
    votes: votes.map(([vote, hours], at) => ({ at: OPENED + hours * HOUR, agent: `voter ${at}`, vote })),
    exercises: exercises.map(([agent, hours]) => ({ at: OPENED + hours * HOUR, agent })),
    now,
  });
}

const at = (hours: number, micros = 0) => OPENED + hours * HOUR + micros;
const of = (ratify: number, reject: number, abstain = 0, hours = 1): Sent['votes'] => [
  ...Array.from({ length: ratify }, () => ['ratify', hours] as const),
  ...Array.from({ length: reject }, () => ['reject', hours] as const),
  ...Array.from({ length: abstain }, () => ['abstain', hours] as const),
];
const TWO: Sent['exercises'] = [
  ['eve', 2],
  ['bob', 3],
];
/** One microsecond in hours. */
const MICRO = 1 / HOUR;

describe('an ordinary amendment', () => {
  it.each<[string, Sent, string, number | null]>([
    [
      'a microsecond before 48 hours deliberates',
      { votes: of(5, 0), exercises: TWO, now: at(48, -1) },
      'deliberating',
      48,
    ],
    [
      'is decided when it was open for exactly 48 hours',
      { votes: of(5, 0), exercises: TWO, now: at(48) },
      'ratified',
      48,
    ],
    ['with exactly two thirds is ratified', { votes: of(4, 2), exercises: TWO }, 'ratified', 48],
    ['with one vote less than two thirds is rejected', { votes: of(3, 2), exercises: TWO }, 'rejected', 48],
    ['with exactly two thirds of many is ratified', { votes: of(66, 33), exercises: TWO }, 'ratified', 48],
    ['with one less of many is rejected', { votes: of(65, 34), exercises: TWO }, 'rejected', 48],
    ['counts abstentions to the quorum and not to the share', { votes: of(1, 0, 4), exercises: TWO }, 'ratified', 48],
    ['that everyone abstains on is rejected', { votes: of(0, 0, 5), exercises: TWO }, 'rejected', 48],
    ['that everyone rejects is rejected', { votes: of(0, 5), exercises: TWO }, 'rejected', 48],
    [
      'without a fifth vote deliberates after 48 hours',
      { votes: of(4, 0), exercises: TWO, now: at(100) },
      'deliberating',
      null,
    ],
    ['without a fifth vote expires', { votes: of(4, 0), exercises: TWO }, 'expired', null],
    ['with one exercise expires', { votes: of(5, 0), exercises: [['eve', 2]] }, 'expired', null],
    [
      'with two exercises of one agent expires',
      {
        votes: of(5, 0),
        exercises: [
          ['eve', 2],
          ['eve', 3],
        ],
      },
      'expired',
      null,
    ],
    [
      'with an exercise of the author expires',
      {
        votes: of(5, 0),
        exercises: [
          ['eve', 2],
          ['author', 3],
        ],
      },
      'expired',
      null,
    ],
    [
      'waits for the second exercise',
      {
        votes: of(5, 0),
        exercises: [
          ['eve', 2],
          ['bob', 60],
        ],
      },
      'ratified',
      60,
    ],
    ['waits for the fifth vote', { votes: [...of(4, 0), ['ratify', 70]], exercises: TWO }, 'ratified', 70],
    [
      'is decided a microsecond before 14 days',
      { votes: [...of(4, 0), ['ratify', 336 - MICRO]], exercises: TWO, now: at(336, -1) },
      'ratified',
      336 - MICRO,
    ],
    [
      'has expired after exactly 14 days',
      { votes: [...of(4, 0), ['ratify', 336]], exercises: TWO, now: at(336) },
      'expired',
      null,
    ],
    [
      'deliberates a microsecond before 14 days',
      { votes: of(4, 0), exercises: TWO, now: at(336, -1) },
      'deliberating',
      null,
    ],
  ])('%s', (_title, sent, state, decidesAfter) => {
    const { state: found, decidesAt } = tallied(sent);
    expect([found, decidesAt]).toEqual([state, decidesAfter === null ? null : Math.round(at(decidesAfter))]);
  });

  it('counts the vote that makes the quorum, and none at or after the decision', () => {
    const votes: Sent['votes'] = [...of(4, 0), ['reject', 60], ['reject', 60], ['reject', 61], ['reject', 62]];
    const { state, decidesAt, standing } = tallied({ votes, exercises: TWO });
    expect([state, decidesAt, standing.ratify, standing.reject]).toEqual(['ratified', at(60), 4, 1]);
  });

  it('counts votes until the window ends where all else is met, and none at its end', () => {
    const before: Sent['votes'] = [...of(5, 0), ...of(0, 3, 0, 48 - MICRO)];
    expect(tallied({ votes: before, exercises: TWO }).state).toBe('rejected');
    const atTheEnd: Sent['votes'] = [...of(5, 0), ...of(0, 3, 0, 48)];
    expect(tallied({ votes: atTheEnd, exercises: TWO })).toMatchObject({ state: 'ratified', standing: { reject: 0 } });
  });

  it('counts votes between the quorum and a late exercise', () => {
    const votes: Sent['votes'] = [...of(5, 0), ['reject', 50], ['reject', 51], ['reject', 52], ['reject', 100]];
    const { state, decidesAt, standing } = tallied({
      votes,
      exercises: [
        ['eve', 2],
        ['bob', 60],
      ],
    });
    expect([state, decidesAt, standing.reject]).toEqual(['rejected', at(60), 3]);
  });

  it('shows have, need and time of each gate', () => {
    const { gates } = tallied({ votes: of(3, 1), exercises: [['eve', 2]], now: at(47, HOUR - 1) });
    expect(gates).toEqual({
      window: { have: 47, need: 48, met: false, at: at(48) },
      quorum: { have: 4, need: 5, met: false, at: null },
      exercises: { have: 1, need: 2, met: false, at: null },
      share: { have: 3, need: 3, met: true, at: null },
    });
    const done = tallied({ votes: of(4, 2), exercises: TWO }).gates;
    expect(done).toEqual({
      window: { have: 336, need: 48, met: true, at: at(48) },
      quorum: { have: 6, need: 5, met: true, at: at(1) },
      exercises: { have: 2, need: 2, met: true, at: at(3) },
      share: { have: 4, need: 4, met: true, at: at(48) },
    });
  });
});

describe('a revert', () => {
  const revert = (sent: Omit<Sent, 'kind'>) => tallied({ kind: 'revert', ...sent });

  it.each<[string, Omit<Sent, 'kind'>, string, number | null]>([
    ['deliberates until 23:59:59.999999', { votes: of(3, 0), now: at(24, -1) }, 'deliberating', 24],
    ['is decided after exactly 24 hours', { votes: of(3, 0), now: at(24) }, 'ratified', 24],
    ['needs a third vote', { votes: of(2, 0) }, 'expired', null],
    ['needs more ratify than reject: a tie is rejected', { votes: of(2, 2) }, 'rejected', 24],
    ['needs no two thirds', { votes: of(3, 2) }, 'ratified', 24],
    ['that all abstain on is rejected', { votes: of(0, 0, 3) }, 'rejected', 24],
    ['needs no exercise', { votes: of(2, 1), exercises: [] }, 'ratified', 24],
    ['has expired after exactly 14 days', { votes: [...of(2, 0), ['ratify', 336]], now: at(336) }, 'expired', null],
  ])('%s', (_title, sent, state, decidesAfter) => {
    const { state: found, decidesAt } = revert(sent);
    expect([found, decidesAt]).toEqual([state, decidesAfter === null ? null : at(decidesAfter)]);
  });
});

it('one vote and one exercise of an agent are counted, the first ones, in whatever order they are told', () => {
  const sent = {
    kind: 'norm' as const,
    openedAt: OPENED,
    author: 'author',
    votes: [
      { at: at(3), agent: 'ada', vote: 'reject' as const },
      { at: at(2), agent: 'ada', vote: 'ratify' as const },
    ],
    exercises: [
      { at: at(3), agent: 'ada' },
      { at: at(2), agent: 'ada' },
    ],
    now: FAR,
  };
  expect(tally(sent).standing).toMatchObject({ ratify: 1, reject: 0, exercisingAgents: 1 });
});
