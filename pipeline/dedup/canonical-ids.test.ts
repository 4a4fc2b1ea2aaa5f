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

describe('canonical ids over time', () => {
  const HISTORIES: { title: string; runs: Run[]; trials: string[]; ledger: string[] }[] = [
    {
      title: 'a new trial is founded by its earliest first-posted registration',
      runs: [{ trials: 'N1+S1', firstPosted: { N1: '2020-01-02', S1: '2020-01-01' } }],
      trials: ['N1+S1*: id(S1)'],
      ledger: [],
    },
    {
      title: 'a month-only date is earlier than any later day of its month',
      runs: [{ trials: 'N1+S1', firstPosted: { N1: '2020-01-02', S1: '2020-01' } }],
      trials: ['N1+S1*: id(S1)'],
      ledger: [],
    },
    {
      title: 'a month-only date counts as the first of its month, and ClinicalTrials.gov founds on a tie',
      runs: [{ trials: 'N1+S1', firstPosted: { N1: '2020-01-01', S1: '2020-01' } }],
      trials: ['N1*+S1: id(N1)'],
      ledger: [],
    },
    {
      title: 'nothing moves when nothing changed',
      runs: [{ trials: 'N1+S1 N2' }, { trials: 'N2 S1+N1' }],
      trials: ['N1*+S1: id(N1)', 'N2*: id(N2)'],
      ledger: [],
    },
    {
      title: 'a registry that corrects a first-posted date moves no id',
      runs: [{ trials: 'N1 S1' }, { trials: 'N1+S1' }, { trials: 'N1+S1', firstPosted: { S1: '2001-01-01' } }],
      trials: ['N1*+S1: id(N1)'],
      ledger: ['id(S1) alias of id(N1)'],
    },
    {
      title: 'a trial that gains a registration keeps its id, though the newcomer was posted earlier',
      runs: [{ trials: 'S1' }, { trials: 'N1+S1', firstPosted: { N1: '2001-01-01' } }],
      trials: ['N1+S1*: id(S1)'],
      ledger: [],
    },
    {
      title: 'two trials that join keep the id that was seen first',
      runs: [{ trials: 'S1' }, { trials: 'N1 S1' }, { trials: 'N1+S1' }],
      trials: ['N1+S1*: id(S1)'],
      ledger: ['id(N1) alias of id(S1)'],
    },
    {
      title: 'two trials seen first together that join keep the id of the earlier first-posted founder',
      runs: [{ trials: 'N1 S1' }, { trials: 'N1+S1', firstPosted: { S1: '2019-12' } }],
      trials: ['N1+S1*: id(S1)'],
      ledger: ['id(N1) alias of id(S1)'],
    },
    {
      title: 'a split leaves the id with the founding registration and gives the leaver its own',
      runs: [{ trials: 'N1+S1' }, { trials: 'N1 S1' }],
      trials: ['N1*: id(N1)', 'S1*: id(S1)'],
      ledger: [],
    },
    {
      title: 'a leaver that had an id before gets that one back',
      runs: [{ trials: 'N1 S1' }, { trials: 'N1+S1' }, { trials: 'N1 S1' }],
      trials: ['N1*: id(N1)', 'S1*: id(S1)'],
      ledger: [],
    },
    {
      title: 'a registration that changes its partner leaves the id with the founder of the first trial',
      runs: [{ trials: 'N1+S1 N2' }, { trials: 'N1 S1+N2' }],
      trials: ['N1*: id(N1)', 'N2*+S1: id(N2)'],
      ledger: [],
    },
    {
      title: 'a trial that disappears is retired',
      runs: [{ trials: 'N1 N2' }, { trials: 'N2' }],
      trials: ['N2*: id(N2)'],
      ledger: ['id(N1) retired'],
    },
    {
      title: 'a trial that returns gets its id back',
      runs: [{ trials: 'N1 N2' }, { trials: 'N2' }, { trials: 'N1 N2' }],
      trials: ['N1*: id(N1)', 'N2*: id(N2)'],
      ledger: [],
    },
    {
      title: 'a trial that returns into another one becomes its alias, though it is older',
      runs: [{ trials: 'S1 N2' }, { trials: 'N2' }, { trials: 'N1 N2' }, { trials: 'N1+S1 N2' }],
      trials: ['N1*+S1: id(N1)', 'N2*: id(N2)'],
      ledger: ['id(S1) alias of id(N1)'],
    },
    {
      title: 'an alias whose target retires keeps pointing',
      runs: [{ trials: 'N1 S1 N2' }, { trials: 'N1+S1 N2' }, { trials: 'N2' }],
      trials: ['N2*: id(N2)'],
      ledger: ['id(N1) retired', 'id(S1) alias of id(N1)'],
    },
    {
      title: 'an id whose founder is gone leads to the trial of the registration that is left',
      runs: [{ trials: 'N1+S1' }, { trials: 'S1' }],
      trials: ['S1*: id(S1)'],
      ledger: ['id(N1) alias of id(S1)'],
    },
    {
      title: 'a founder that returns gets its id back from the trial of the registration that was left',
      runs: [{ trials: 'N1+S1' }, { trials: 'S1' }, { trials: 'N1 S1' }],
      trials: ['N1*: id(N1)', 'S1*: id(S1)'],
      ledger: [],
    },
    {
      title: 'aliases are flattened: an id leads straight to the trial, however many joins lie between',
      runs: [{ trials: 'N1+S1' }, { trials: 'S1 N2' }, { trials: 'S1+N2', firstPosted: { N2: '2001-01-01' } }],
      trials: ['N2*+S1: id(N2)'],
      ledger: ['id(N1) alias of id(N2)', 'id(S1) alias of id(N2)'],
    },
    {
      title: 'the id of a superseded record goes on with the record that took it over',
      runs: [{ trials: 'N1+S1' }, { trials: 'N2+S1', successors: { N1: 'N2' } }],
      trials: ['N2*+S1: id(N1)'],
      ledger: [],
    },
    {
      title: 'a record superseded by another that has a trial joins that trial',
      runs: [{ trials: 'N2' }, { trials: 'N1 N2' }, { trials: 'N2', successors: { N1: 'N2' } }],
      trials: ['N2*: id(N2)'],
      ledger: ['id(N1) alias of id(N2)'],
    },
  ];

  const DIVIDED: typeof HISTORIES = [
    {
      title: 'an id whose founder stands with another partner is divided; each trial has an id of its own',
      runs: [{ trials: 'N1+S1' }, { trials: 'N1+S2 S1' }],
      trials: ['N1+S2*: id(S2)', 'S1*: id(S1)'],
      ledger: ['id(N1) divided'],
    },
    {
      title: 'that the founder was alone in between changes nothing',
      runs: [{ trials: 'N1+S1' }, { trials: 'N1 S1' }, { trials: 'N1+S2 S1' }],
      trials: ['N1+S2*: id(S2)', 'S1*: id(S1)'],
      ledger: ['id(N1) divided'],
    },
    {
      title: 'a new partner that had an id gives it to the trial',
      runs: [{ trials: 'N1+S1 S2' }, { trials: 'N1+S2 S1' }],
      trials: ['N1+S2*: id(S2)', 'S1*: id(S1)'],
      ledger: ['id(N1) divided'],
    },
    {
      title: 'a divided id stays divided when the first two stand together again',
      runs: [{ trials: 'N1+S1' }, { trials: 'N1+S2 S1' }, { trials: 'N1+S1 S2' }],
      trials: ['N1+S1*: id(S1)', 'S2*: id(S2)'],
      ledger: ['id(N1) divided'],
    },
    {
      title: 'a record that takes over the partner’s number is the same partner',
      runs: [
        { trials: 'S1+N1', firstPosted: { S1: '2001-01-01' } },
        { trials: 'S1+N2', successors: { N1: 'N2' } },
      ],
      trials: ['N2+S1*: id(S1)'],
      ledger: [],
    },
  ];

  test.each([...HISTORIES, ...DIVIDED])('$title', ({ runs, trials, ledger }) => {
    const last = play(runs);
    expect(last.trials).toEqual(trials);
    expect(last.ledger).toEqual(ledger);
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
  const assign = (ledger: LedgerRow[]) => () =>
    assignCanonicalIds({ trials: [], successors: new Map(), ledger, formerPartners: [], now: row.firstSeen });

  test('an id twice', () => {
    expect(assign([row, { ...other, canonicalId: 'wt_a' }])).toThrow('wt_a stands twice');
  });
  test('a founding registration twice', () => {
    expect(assign([row, { ...other, foundingId: row.foundingId }])).toThrow('ISRCTN00000001 founds two ids');
  });
  test('an alias that names no id', () => {
    expect(assign([{ ...row, state: 'alias' }])).toThrow('wt_a is alias with alias_of null');
    expect(assign([{ ...row, aliasOf: 'wt_b' }, other])).toThrow('wt_a is current with alias_of wt_b');
  });
  test('an alias of an id that is not there', () => {
    expect(assign([{ ...row, state: 'alias', aliasOf: 'wt_b' }])).toThrow('an alias of wt_b, which is not there');
  });
  test('aliases in a circle', () => {
    expect(
      assign([
        { ...row, state: 'alias', aliasOf: 'wt_b' },
        { ...other, state: 'alias', aliasOf: 'wt_a' },
      ]),
    ).toThrow('form a circle');
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

  test('no id is at two trials, none is lost, every registration is in one trial, and nothing moves by itself', () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 10 }), (runs) => {
        let ledger: LedgerRow[] = [];
        let members: TrialMember[] = [];
        for (const [day, randomRun] of runs.entries()) {
          const before = ledger;
          const next = step(day, randomRun, ledger, members);
          ({ ledger, members } = next);

          const held = randomRun.held.map(long).sort();
          expect(members.map((member) => member.registrationId).sort()).toEqual(held);
          const byTrial = Map.groupBy(members, (member) => member.canonicalId);
          expect(byTrial.size).toBe(next.inputs.trials.length);
          const founders = members.filter((member) => member.founding).map((member) => member.canonicalId);
          expect(founders.sort()).toEqual([...byTrial.keys()].sort());

          const rows = new Map(ledger.map((row) => [row.canonicalId, row]));
          expect(rows.size).toBe(ledger.length);
          const current = ledger.filter((row) => row.state === 'current').map((row) => row.canonicalId);
          expect(new Set(current)).toEqual(new Set(byTrial.keys()));
          for (const row of before) {
            const kept = rows.get(row.canonicalId);
            expect([kept?.foundingId, kept?.firstSeen]).toEqual([row.foundingId, row.firstSeen]);
          }
          for (const row of ledger) if (row.aliasOf !== null) expect(rows.get(row.aliasOf)?.state).not.toBe('alias');

          const again = step(day + 1, randomRun, ledger, members);
          expect(again.members).toEqual(members);
          expect(again.ledger).toEqual(ledger);
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  test('a founder that is held has its trial found under its id', () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 10 }), (runs) => {
        let ledger: LedgerRow[] = [];
        let members: TrialMember[] = [];
        for (const [day, randomRun] of runs.entries()) {
          ({ ledger, members } = step(day, randomRun, ledger, members));
          const trialOf = new Map(members.map((member) => [member.registrationId, member.canonicalId]));
          for (const row of ledger) {
            const trial = trialOf.get(row.foundingId);
            if (trial !== undefined && row.state !== 'divided') expect(row.aliasOf ?? row.canonicalId).toBe(trial);
          }
        }
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  test('no id comes to mean another study: one whose founder stands with another partner is divided for good', () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 2, maxLength: 10 }), (runs) => {
        let ledger: LedgerRow[] = [];
        let members: TrialMember[] = [];
        const citedWith = new Map<string, string>();
        const divided = new Set<string>();
        for (const [day, randomRun] of runs.entries()) {
          ({ ledger, members } = step(day, { ...randomRun, supersedes: undefined }, ledger, members));
          for (const { canonicalId, foundingId, state, partnerId } of ledger) {
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
