import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { registryOf } from '../../test/support/dedup-corpus.ts';
import { assignCanonicalIds, foundingRegistration, type HeldRegistration, type TrialMember } from './canonical-ids.ts';
import type { LedgerRow } from './ledger.ts';

/**
 * One run of a history: the trials held, e.g. `N1+S1 N2`, and the successors of superseded numbers, e.g. `N1 -> N2`.
 */
interface Run {
  trials: string;
  successors?: Record<string, string>;
  firstPosted?: Record<string, string>;
}

const long = (name: string): string => (name.startsWith('N') ? `NCT0000000${name[1]}` : `ISRCTN0000000${name[1]}`);

// Ids from the leading bits of SHA-256 of "clinicaltrials_gov:NCT00000001" and so on; another implementation computed
// them.
const ID = {
  N1: 'wt_pzc65q9te7gs',
  N2: 'wt_f73qq3wfvw1b',
  N3: 'wt_svrebgmjabns',
  S1: 'wt_372w7k9zfwq3',
  S2: 'wt_3q5b4j0rjyaz',
};
const NAME = new Map(Object.entries(ID).map(([name, id]) => [id, `id(${name})`]));

/** Plays the runs in order, one a day. Returns the trials after the last run, as `trial: id`, and the ledger. */
function play(runs: Run[], options: { keepPartners?: boolean } = {}) {
  let ledger: LedgerRow[] = [];
  let members: TrialMember[] = [];
  runs.forEach((run, day) => {
    ({ ledger, members } = assignCanonicalIds({
      trials: run.trials.split(' ').map((trial) =>
        trial.split('+').map((name) => ({
          registry: registryOf(long(name)),
          id: long(name),
          firstPosted: run.firstPosted?.[name] ?? '2020-01-01',
        })),
      ),
      successors: new Map(Object.entries(run.successors ?? {}).map(([from, to]) => [long(from), long(to)])),
      ledger,
      formerPartners: options.keepPartners === false ? [] : members.filter((member) => !member.founding),
      now: `2026-01-0${day + 1}T00:00:00.000Z`,
    }));
  });
  const short = (id: string): string => (id.startsWith('NCT') ? `N${id.at(-1)}` : `S${id.at(-1)}`);
  const byTrial = Map.groupBy(members, (member) => member.canonicalId);
  return {
    trials: [...byTrial]
      .map(([id, group]) => {
        const names = group.map((member) => short(member.registrationId) + (member.founding ? '*' : ''));
        return `${names.sort().join('+')}: ${NAME.get(id)}`;
      })
      .sort(),
    ledger: ledger
      .filter((row) => row.state !== 'current')
      .map((row) => `${NAME.get(row.canonicalId)} ${row.state}${row.aliasOf ? ` of ${NAME.get(row.aliasOf)}` : ''}`)
      .sort(),
    rows: ledger,
  };
}

/**
 * Each history: its title, its runs, and what holds after the last one: the trials, `*` behind the founder, and the ids that are not
 * current. `N1@2020-01` was first posted then, `(N1>N2)` says that N2 takes the place of N1.
 */
const HISTORIES = `
a new trial is founded by its earliest first-posted registration
  N1@2020-01-02+S1@2020-01-01
  = N1+S1*: id(S1)
a month-only date is earlier than any later day of its month
  N1@2020-01-02+S1@2020-01
  = N1+S1*: id(S1)
a month-only date counts as the first of its month, and ClinicalTrials.gov founds on a tie
  N1@2020-01-01+S1@2020-01
  = N1*+S1: id(N1)
nothing moves when nothing changed
  N1+S1 N2; N2 S1+N1
  = N1*+S1: id(N1), N2*: id(N2)
a registry that corrects a first-posted date moves no id
  N1 S1; N1+S1; N1+S1@2001-01-01
  = N1*+S1: id(N1), id(S1) alias of id(N1)
a trial that gains a registration keeps its id, though the newcomer was posted earlier
  S1; N1@2001-01-01+S1
  = N1+S1*: id(S1)
two trials that join keep the id that was seen first
  S1; N1 S1; N1+S1
  = N1+S1*: id(S1), id(N1) alias of id(S1)
two trials seen first together that join keep the id of the earlier first-posted founder
  N1 S1; N1+S1@2019-12
  = N1+S1*: id(S1), id(N1) alias of id(S1)
a split leaves the id with the founding registration and gives the leaver its own
  N1+S1; N1 S1
  = N1*: id(N1), S1*: id(S1)
a leaver that had an id before gets that one back
  N1 S1; N1+S1; N1 S1
  = N1*: id(N1), S1*: id(S1)
a registration that changes its partner leaves the id with the founder of the first trial
  N1+S1 N2; N1 S1+N2
  = N1*: id(N1), N2*+S1: id(N2)
a trial that disappears is retired
  N1 N2; N2
  = N2*: id(N2), id(N1) retired
a trial that returns gets its id back
  N1 N2; N2; N1 N2
  = N1*: id(N1), N2*: id(N2)
a trial that returns into another one becomes its alias, though it is older
  S1 N2; N2; N1 N2; N1+S1 N2
  = N1*+S1: id(N1), N2*: id(N2), id(S1) alias of id(N1)
an alias whose target retires keeps pointing
  N1 S1 N2; N1+S1 N2; N2
  = N2*: id(N2), id(N1) retired, id(S1) alias of id(N1)
an id whose founder is gone leads to the trial of the registration that is left
  N1+S1; S1
  = S1*: id(S1), id(N1) alias of id(S1)
a founder that returns gets its id back from the trial of the registration that was left
  N1+S1; S1; N1 S1
  = N1*: id(N1), S1*: id(S1)
aliases are flattened: an id leads straight to the trial, however many joins lie between
  N1+S1; S1 N2; S1+N2@2001-01-01
  = N2*+S1: id(N2), id(N1) alias of id(N2), id(S1) alias of id(N2)
the id of a superseded record goes on with the record that took it over
  N1+S1; N2+S1 (N1>N2)
  = N2*+S1: id(N1)
a record superseded by another that has a trial joins that trial
  N2; N1 N2; N2 (N1>N2)
  = N2*: id(N2), id(N1) alias of id(N2)
an id whose founder stands with another partner is divided; each trial has an id of its own
  N1+S1; N1+S2 S1
  = N1+S2*: id(S2), S1*: id(S1), id(N1) divided
that the founder was alone in between changes nothing
  N1+S1; N1 S1; N1+S2 S1
  = N1+S2*: id(S2), S1*: id(S1), id(N1) divided
a new partner that had an id gives it to the trial
  N1+S1 S2; N1+S2 S1
  = N1+S2*: id(S2), S1*: id(S1), id(N1) divided
a divided id stays divided when the first two stand together again
  N1+S1; N1+S2 S1; N1+S1 S2
  = N1+S1*: id(S1), S2*: id(S2), id(N1) divided
a record that takes over the partner's number is the same partner
  S1@2001-01-01+N1; S1+N2 (N1>N2)
  = N2+S1*: id(S1)
`;

function runOf(text: string): Run {
  const successors = [...text.matchAll(/\((..)>(..)\)/g)].map(([, from, to]) => [from!, to!]);
  const firstPosted = [...text.matchAll(/(..)@([\d-]+)/g)].map(([, name, day]) => [name!, day!]);
  return {
    trials: text.replaceAll(/ \(.*?\)|@[\d-]+/g, '').trim(),
    successors: Object.fromEntries(successors),
    firstPosted: Object.fromEntries(firstPosted),
  };
}

describe('canonical ids over time', () => {
  const histories = HISTORIES.trim()
    .split(/\n(?=\S)/)
    .map((text) => text.split('\n  ') as [title: string, runs: string, outcome: string]);
  test.each(histories)('%s', (_title, runs, outcome) => {
    const last = play(runs.split(';').map(runOf));
    expect(`= ${[...last.trials, ...last.ledger].join(', ')}`).toBe(outcome);
  });

  test('without the last members, an id whose founder is gone follows the id that had joined it', () => {
    const runs = [{ trials: 'N1 S1' }, { trials: 'N1+S1' }, { trials: 'S1' }];
    expect(play(runs, { keepPartners: false }).ledger).toEqual(['id(N1) alias of id(S1)']);
  });

  test('first_seen is the time of the run that gave the id, and stays', () => {
    const { rows } = play([{ trials: 'N1' }, { trials: 'N1 S1' }, { trials: 'N1+S1' }]);
    expect(rows.map((row) => [NAME.get(row.canonicalId), row.firstSeen])).toEqual([
      ['id(N1)', '2026-01-01T00:00:00.000Z'],
      ['id(S1)', '2026-01-02T00:00:00.000Z'],
    ]);
  });

  test('a registration without a first-posted date founds a trial only where no other has one', () => {
    const dated: HeldRegistration = { registry: 'isrctn', id: 'ISRCTN00000001', firstPosted: '2026-11' };
    const undated: HeldRegistration = { registry: 'clinicaltrials_gov', id: 'NCT00000001', firstPosted: null };
    expect(foundingRegistration([undated, dated])).toBe(dated);
    expect(foundingRegistration([undated, { ...dated, firstPosted: null }])).toBe(undated);
  });
});

describe('colliding hashes', () => {
  // Every founder gets the same twelve characters, so that each further id must grow.
  const hash = (text: string, length: number): string => `000000000000${text.at(-1)}`.slice(0, length);
  const inputs = { successors: new Map<string, string>(), formerPartners: [], now: '2026-01-01T00:00:00.000Z', hash };
  const trial = (digit: number): HeldRegistration[] => [
    { registry: 'clinicaltrials_gov', id: `NCT0000000${digit}`, firstPosted: null },
  ];

  test('the founder that comes later in order gets the longer id, whatever the order of the input', () => {
    for (const trials of [
      [trial(1), trial(2)],
      [trial(2), trial(1)],
    ]) {
      const { ledger } = assignCanonicalIds({ ...inputs, trials, ledger: [] });
      expect(ledger.map((row) => [row.canonicalId, row.foundingId])).toEqual([
        ['wt_000000000000', 'NCT00000001'],
        ['wt_0000000000002', 'NCT00000002'],
      ]);
    }
  });

  test('an id that was given keeps its founder, and a newcomer that collides with it grows', () => {
    const { ledger } = assignCanonicalIds({ ...inputs, trials: [trial(2)], ledger: [] });
    const next = assignCanonicalIds({ ...inputs, trials: [trial(1), trial(2)], ledger });
    expect(next.ledger.map((row) => [row.canonicalId, row.foundingId])).toEqual([
      ['wt_000000000000', 'NCT00000002'],
      ['wt_0000000000001', 'NCT00000001'],
    ]);
  });
});

describe('a ledger that contradicts itself is refused', () => {
  const row: LedgerRow = {
    canonicalId: 'wt_a',
    foundingRegistry: 'isrctn',
    foundingId: 'ISRCTN00000001',
    state: 'current',
    aliasOf: null,
    firstSeen: '2026-01-01T00:00:00.000Z',
    partnerId: null,
  };
  const other: LedgerRow = { ...row, canonicalId: 'wt_b', foundingId: 'ISRCTN00000002' };
  test.each<[string, LedgerRow[], string]>([
    ['an id twice', [row, { ...other, canonicalId: 'wt_a' }], 'wt_a stands twice'],
    ['a founder twice', [row, { ...other, foundingId: row.foundingId }], 'ISRCTN00000001 founds two ids'],
    ['an alias of nothing', [{ ...row, state: 'alias' }], 'wt_a is alias with alias_of null'],
    ['another state with a target', [{ ...row, aliasOf: 'wt_b' }, other], 'wt_a is current with alias_of wt_b'],
    ['a target that is absent', [{ ...row, state: 'alias', aliasOf: 'wt_b' }], 'an alias of wt_b, which is not there'],
    [
      'aliases in a circle',
      [
        { ...row, state: 'alias', aliasOf: 'wt_b' },
        { ...other, state: 'alias', aliasOf: 'wt_a' },
      ],
      'form a circle',
    ],
  ])('%s', (_name, ledger, message) => {
    const inputs = { trials: [], successors: new Map(), formerPartners: [], now: row.firstSeen };
    expect(() => assignCanonicalIds({ ...inputs, ledger })).toThrow(message);
  });
});

describe('over random histories', () => {
  const names = ['N1', 'N2', 'N3', 'N4', 'S1', 'S2', 'S3', 'S4'];
  /** Which registrations are held. The n-th of `partners` shares a trial with Sn. */
  const run = fc.record({
    held: fc.subarray(names, { minLength: 1 }),
    partners: fc.shuffledSubarray(['N1', 'N2', 'N3', 'N4']),
    supersedes: fc.option(fc.constantFrom<[string, string]>(['N1', 'N2'], ['N3', 'N2'], ['N4', 'N1']), {
      nil: undefined,
    }),
  });
  type RandomRun = { held: string[]; partners: string[]; supersedes: [string, string] | undefined };

  function trialsOf({ held, partners }: RandomRun): HeldRegistration[][] {
    const registration = (name: string): HeldRegistration => ({
      registry: registryOf(long(name)),
      id: long(name),
      firstPosted: `20${name[1]}0-01`,
    });
    const joined = partners
      .map((partner, index) => [partner, `S${index + 1}`])
      .filter((pair) => pair.every((name) => held.includes(name)));
    const alone = held.filter((name) => !joined.flat().includes(name)).map((name) => [name]);
    return [...joined, ...alone].map((trial) => trial.map(registration));
  }

  type Step = ReturnType<typeof step>;
  function step(day: number, randomRun: RandomRun, ledger: LedgerRow[], members: TrialMember[]) {
    const [from, to] = randomRun.supersedes ?? [];
    const goesOn = from !== undefined && !randomRun.held.includes(from) && randomRun.held.includes(to!);
    const inputs = {
      trials: trialsOf(randomRun),
      successors: new Map(goesOn ? [[long(from), long(to!)]] : []),
      ledger,
      formerPartners: members.filter((member) => !member.founding),
      now: `2026-01-01T00:00:${String(day).padStart(2, '0')}.000Z`,
    };
    return { inputs, ...assignCanonicalIds(inputs) };
  }

  const histories = fc.array(run, { minLength: 1, maxLength: 10 });

  /** Calls `check` after each run of a history, with the ledger before it. */
  function overHistories(check: (after: Step, before: LedgerRow[], run: RandomRun, day: number) => void) {
    return fc.property(histories, (runs) => {
      let last: Pick<Step, 'ledger' | 'members'> = { ledger: [], members: [] };
      for (const [day, randomRun] of runs.entries()) {
        const next = step(day, randomRun, last.ledger, last.members);
        check(next, last.ledger, randomRun, day);
        last = next;
      }
    });
  }

  test('no id is at two trials, none is lost, each founder has its trial under its id, and nothing moves by itself', () => {
    const property = overHistories(({ inputs, ledger, members }, before, randomRun, day) => {
      expect(members.map((member) => member.registrationId).sort()).toEqual(randomRun.held.map(long).sort());
      const byTrial = Map.groupBy(members, (member) => member.canonicalId);
      expect(byTrial.size).toBe(inputs.trials.length);
      const founders = members.filter((member) => member.founding).map((member) => member.canonicalId);
      expect(founders.sort()).toEqual([...byTrial.keys()].sort());

      const rows = new Map(ledger.map((row) => [row.canonicalId, row]));
      expect(rows.size).toBe(ledger.length);
      const current = ledger.filter((row) => row.state === 'current').map((row) => row.canonicalId);
      expect(new Set(current)).toEqual(new Set(byTrial.keys()));
      for (const { canonicalId, foundingId, firstSeen } of before)
        expect(rows.get(canonicalId)).toMatchObject({ foundingId, firstSeen });
      const trialOf = new Map(members.map((member) => [member.registrationId, member.canonicalId]));
      for (const row of ledger) {
        if (row.aliasOf !== null) expect(rows.get(row.aliasOf)?.state).not.toBe('alias');
        const trial = trialOf.get(row.foundingId);
        if (trial !== undefined && row.state !== 'divided') expect(row.aliasOf ?? row.canonicalId).toBe(trial);
      }
      const again = step(day + 1, randomRun, ledger, members);
      expect([again.members, again.ledger]).toEqual([members, ledger]);
    });
    fc.assert(property, { seed: 5, numRuns: 300 });
  });

  test('no id comes to mean another study: one whose founder stands with another partner is divided for good', () => {
    const alone = run.map((one) => ({ ...one, supersedes: undefined }));
    fc.assert(
      fc.property(fc.array(alone, { minLength: 2, maxLength: 10 }), (runs) => {
        let last: Pick<Step, 'ledger' | 'members'> = { ledger: [], members: [] };
        const citedWith = new Map<string, string>();
        const divided = new Set<string>();
        for (const [day, randomRun] of runs.entries()) {
          last = step(day, randomRun, last.ledger, last.members);
          const { members } = last;
          for (const { canonicalId, foundingId, state, partnerId } of last.ledger) {
            const trial = members.find(({ registrationId }) => registrationId === foundingId)?.canonicalId;
            const partner = members.find((one) => one.canonicalId === trial && one.registrationId !== foundingId);
            const cited = citedWith.get(canonicalId);
            if (partner !== undefined && cited === undefined) citedWith.set(canonicalId, partner.registrationId);
            if (partner !== undefined && cited !== undefined && cited !== partner.registrationId)
              divided.add(canonicalId);
            expect([canonicalId, state === 'divided']).toEqual([canonicalId, divided.has(canonicalId)]);
            if (state !== 'divided') continue;
            // It leads to the trials of both, which have other ids.
            expect(partnerId).toBe(cited);
            expect(members.filter((one) => one.canonicalId === canonicalId)).toEqual([]);
          }
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
