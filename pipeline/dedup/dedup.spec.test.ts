import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdentifierType } from '../../snapshot/format/registration.ts';
import { fillFixture, fixedEffects, forgetLedger, openFixture } from '../../test/support/dedup-corpus.ts';
import type { Database } from '../store/database.ts';
import { dedup } from './dedup.ts';

/**
 * Each situation is a small input with the tables expected of it: its title, then `records held: what they say = trials`, then links
 * and relations. N1 is a ClinicalTrials.gov record, S1 an ISRCTN record, E1 a EudraCT number, U1 a UTN; N1(N8) lists N8 as an earlier
 * number of its own. `N1>S1` says that N1 names S1 in an id field, `N1=E1` that N1 states the number E1; `~` in their place says that
 * the number is another study's (a parent's, a sub-study's). A link has a direction, a verdict, and `!` where it is in conflict.
 */
const SITUATIONS = `
two records that say nothing are two trials
  N1 S1: = N1, S1
one side naming the other merges them
  N1 S1: S1>N1 = N1+S1
    S1>N1 one-way accepted
both sides naming each other merges them, with both links
  N1 S1: S1>N1 N1>S1 = N1+S1
    N1>S1 mutual accepted, S1>N1 mutual accepted
a record that is not held merges nothing
  N1 S1: S1>N2 N1>S2 = N1, S1
one record naming two partners merges with neither
  N1 N2 S1: S1>N1 S1>N2 = N1, N2, S1
    S1>N1 one-way ambiguous, S1>N2 one-way ambiguous
    S1>N1 ambiguous, S1>N2 ambiguous
a record named by two merges with neither
  N1 S1 S2: S1>N1 S2>N1 = N1, S1, S2
    S1>N1 one-way ambiguous, S2>N1 one-way ambiguous
    S1>N1 ambiguous, S2>N1 ambiguous
in a chain of one-way references the ISRCTN record's own one decides; all are in conflict
  N1 S1 N2: N1>S1 S1>N2 = N1, N2+S1
    N1>S1 one-way stronger-partner !, S1>N2 one-way accepted !
    N1>S1 stronger-partner
an ISRCTN record that several name merges with the one record that it names itself
  N1 N2 N3 S1: N1>S1 N2>S1 S1>N3 = N1, N2, N3+S1
    N1>S1 one-way stronger-partner !, N2>S1 one-way stronger-partner !, S1>N3 one-way accepted !
    N1>S1 stronger-partner, N2>S1 stronger-partner
a number that is not held does not count among those that an ISRCTN record names
  N1 N3 S1: N1>S1 S1>N2 S1>N3 = N1, N3+S1
    N1>S1 one-way stronger-partner !, S1>N3 one-way accepted !
    N1>S1 stronger-partner
an ISRCTN record that several name and that names two merges with none of them
  N1 N2 N3 S1: N1>S1 S1>N2 S1>N3 = N1, N2, N3, S1
    N1>S1 one-way ambiguous !, S1>N2 one-way ambiguous !, S1>N3 one-way ambiguous !
    N1>S1 ambiguous, S1>N2 ambiguous, S1>N3 ambiguous
an ISRCTN record that several name and that names none merges with none of them
  N1 N2 S1: N1>S1 N2>S1 = N1, N2, S1
    N1>S1 one-way ambiguous, N2>S1 one-way ambiguous
    N1>S1 ambiguous, N2>S1 ambiguous
two ISRCTN records that both name one record merge with nobody, though another names one of them
  N1 N2 S1 S2: N2>S1 S1>N1 S2>N1 = N1, N2, S1, S2
    N2>S1 one-way ambiguous !, S1>N1 one-way ambiguous !, S2>N1 one-way ambiguous
    N2>S1 ambiguous, S1>N1 ambiguous, S2>N1 ambiguous
a number stated as another study's relates and never merges
  N1 S1: N1~S1 = N1, S1
    N1>S1 one-way stated-relation
    N1>S1 stated-relation
a number stated as another study's outweighs the other side's reference
  N1 S1: N1~S1 S1>N1 N1=E1 S1=E1 = N1, S1
    N1=S1 shared stated-relation, N1>S1 mutual stated-relation, S1>N1 mutual stated-relation
    N1>S1 stated-relation
the parent that an extension names is free to merge with its own partner
  N1 N2 S1: N2~S1 N1>S1 = N1+S1, N2
    N1>S1 one-way accepted, N2>S1 one-way stated-relation
    N2>S1 stated-relation
a shared number stated as the parent's leaves its two own holders to merge
  N1 N2 S1: N1=E1 S1=E1 N2~E1 = N1+S1, N2
    N1=S1 shared accepted, N2=S1 shared stated-relation
    N2>S1 stated-relation
a mutual pair wins over a record that only names one of the two; the disagreeing references are in conflict
  N1 N2 S1: N1>S1 S1>N1 N2>S1 = N1+S1, N2
    N1>S1 mutual accepted, N2>S1 one-way stronger-partner !, S1>N1 mutual accepted !
    N2>S1 stronger-partner
a mutual pair wins over a second partner that one of the two names too, without conflict
  N1 N2 S1: N1>S1 S1>N1 S1>N2 = N1+S1, N2
    N1>S1 mutual accepted, S1>N1 mutual accepted, S1>N2 one-way stronger-partner
    S1>N2 stronger-partner
naming a record that is merged elsewhere leaves the other named one free to merge
  N1 N2 S1 S2: N1>S1 S1>N1 S2>N1 S2>N2 = N1+S1, N2+S2
    N1>S1 mutual accepted !, S1>N1 mutual accepted, S2>N1 one-way stronger-partner !, S2>N2 one-way accepted
    S2>N1 stronger-partner
two mutual pairs at one record merge nothing and close it to a weaker partner
  N1 S1 S2 S3: N1>S1 S1>N1 N1>S2 S2>N1 S3>N1 = N1, S1, S2, S3
    N1>S1 mutual ambiguous !, N1>S2 mutual ambiguous !, S1>N1 mutual ambiguous, S2>N1 mutual ambiguous,
    S3>N1 one-way ambiguous !
    N1>S1 ambiguous, N1>S2 ambiguous, S3>N1 ambiguous
a shared number does not overrule references that disagree
  N1 N2 S1 S2: S1>N1 S1>N2 N1=E1 S2=E1 = N1, N2, S1, S2
    N1=S2 shared ambiguous, S1>N1 one-way ambiguous, S1>N2 one-way ambiguous
    N1>S2 ambiguous, S1>N1 ambiguous, S1>N2 ambiguous
a shared number does not break an ambiguity of its own two holders either
  N1 N2 S1: S1>N1 S1>N2 N1=E1 S1=E1 = N1, N2, S1
    N1=S1 shared ambiguous, S1>N1 one-way ambiguous, S1>N2 one-way ambiguous
    S1>N1 ambiguous, S1>N2 ambiguous
a number held once on each side merges its holders
  N1 S1: N1=E1 S1=E1 = N1+S1
    N1=S1 shared accepted
a number held twice on one side merges nobody
  N1 N2 S1: N1=E1 N2=E1 S1=E1 = N1, N2, S1
    N1=S1 shared shared-by-many, N2=S1 shared shared-by-many
    N1>S1 shared-by-many, N2>S1 shared-by-many
a number held on one side only is no link at all
  N1 N2 S1: N1=E1 N2=E1 S1=E2 = N1, N2, S1
an umbrella number stays a rejected link inside a trial that a reference made, and relates the others
  N1 N2 S1: S1>N1 N1=E1 N2=E1 S1=E1 = N1+S1, N2
    N1=S1 shared shared-by-many, N2=S1 shared shared-by-many, S1>N1 one-way accepted
    N2>S1 shared-by-many
different numbers that point to different partners merge nobody
  N1 N2 S1: N1=E1 S1=E1 N2=U1 S1=U1 = N1, N2, S1
    N1=S1 shared ambiguous, N2=S1 shared ambiguous
    N1>S1 ambiguous, N2>S1 ambiguous
a reference beats a shared number
  N1 N2 S1: S1>N1 N2=E1 S1=E1 = N1+S1, N2
    N2=S1 shared stronger-partner, S1>N1 one-way accepted
    N2>S1 stronger-partner
all evidence for an accepted pair is accepted, shared numbers included
  N1 S1: S1>N1 N1=E1 S1=E1 N1=U1 S1=U1 = N1+S1
    N1=S1 shared accepted, N1=S1 shared accepted, S1>N1 one-way accepted
a superseded NCT number means the record that goes on for it
  N1(N8) S1: S1>N8 N1>S1 = N1+S1
    N1>S1 mutual accepted, S1>N1 mutual accepted
a held record whose number another lists as an earlier one counts no more; what names it means the other
  N1(N8) N8 S1: S1>N8 = N1+S1
    N1>N8 one-way accepted, S1>N1 one-way accepted
    N8>N1 superseded-number
a chain of superseded records ends at the one whose number nobody lists
  N1 N2(N1) N3(N2): = N3
    N2>N1 one-way accepted, N3>N2 one-way accepted
    N1>N2 superseded-number, N2>N3 superseded-number
a chain whose middle record is not held ends there: nothing says where the rest goes
  N1 N3(N2): = N1, N3
two records that list each other count once, as the lower number
  N1(N2) N2(N1): = N1
    N1>N2 mutual accepted, N2>N1 mutual accepted
    N2>N1 superseded-number
a circle of three counts once, as the lowest number
  N1(N3) N2(N1) N3(N2): = N1
    N1>N3 one-way accepted, N2>N1 one-way accepted, N3>N2 one-way accepted
    N2>N3 superseded-number, N3>N1 superseded-number
a held record that two unrelated records list keeps its own trial; both claims are rejected
  N1(N3) N2(N3) N3: = N1, N2, N3
    N1>N3 one-way ambiguous, N2>N3 one-way ambiguous
    N1>N3 ambiguous, N2>N3 ambiguous
a record that three list is superseded where the three are one by their own claims
  N1 N2(N1) N3(N1) N4(N3,N2,N1): = N4
    N2>N1 one-way accepted, N3>N1 one-way accepted, N4>N1 one-way accepted, N4>N2 one-way accepted,
    N4>N3 one-way accepted
    N1>N2 superseded-number, N1>N3 superseded-number, N1>N4 superseded-number, N2>N4 superseded-number,
    N3>N4 superseded-number
a record that lists its own number supersedes nothing
  N1(N1): = N1
what a superseded record alone states joins the record in its place
  N1(N2) N2 S1: N2>S1 = N1+S1
    N1>N2 one-way accepted, N2>S1 one-way accepted
    N2>N1 superseded-number
what a superseded record states gives way to what the record in its place states
  N1(N2) N2 S1 S2: N2>S1 N1>S2 = N1+S2, S1
    N1>N2 one-way accepted, N1>S2 one-way accepted, N2>S1 one-way stronger-partner
    N2>N1 superseded-number, N2>S1 stronger-partner
a number that a record and one that it superseded state is held once on that side
  N1(N2) N2 S1: N1=E1 N2=E1 S1=E1 = N1+S1
    N1=S1 shared accepted, N1>N2 one-way accepted
    N2>N1 superseded-number
a superseded record and the one in its place name no other record by naming each other
  N1(N2) N2: N2>N1 N1>N2 = N1
    N1>N2 one-way accepted
    N2>N1 superseded-number
a number that two records claim as alias means neither
  N1(N8) N2(N8) S1: S1>N8 = N1, N2, S1
a record that names itself, or its own superseded number, says nothing
  N1(N8) S1: N1>N1 N1>N8 S1>S1 = N1, S1
records of one registry that name each other are related once and never merged
  N1 N2 S1: N1>N2 N2>N1 S1>N1 = N1+S1, N2
    N1>N2 mutual same-registry, N2>N1 mutual same-registry, S1>N1 one-way accepted
    N1>N2 same-registry
a reference inside a registry is one-way where only one side makes it
  S1 S2: S2>S1 = S1, S2
    S2>S1 one-way same-registry
    S2>S1 same-registry
`;

interface Situation {
  title: string;
  held: { id: string; aliases: string[] }[];
  says: string[];
  trials: string;
  links: string[];
  relations: string[];
}

function situationOf(text: string): Situation {
  const [title = '', first = '', ...rest] = text.split('\n');
  const [, held = '', says = '', trials = ''] = /^ *(.*?): (.*)= (.*)$/.exec(first)!;
  const items = rest.flatMap((line) => line.trim().split(/, ?/)).filter((item) => item !== '');
  const isLink = (item: string): boolean => / (?:one-way|mutual|shared) /.test(item);
  return {
    title,
    held: words(held).map((word) => {
      const [id = '', ...aliases] = word.split(/[(,)]/).filter((part) => part !== '');
      return { id, aliases };
    }),
    says: words(says),
    trials,
    links: items.filter(isLink),
    relations: items.filter((item) => !isLink(item)),
  };
}

const LONG: Record<string, (digit: string) => string> = {
  N: (digit) => `NCT0000000${digit}`,
  S: (digit) => `ISRCTN0000000${digit}`,
  E: (digit) => `2010-00000${digit}-10`,
  U: (digit) => `U1111-0000-000${digit}`,
};
const TYPE: Record<string, IdentifierType> = { N: 'nct', S: 'isrctn', E: 'eudract', U: 'utn' };

const long = (short: string): string => LONG[short[0]!]!(short[1]!);
const short = (id: unknown): string => (String(id).startsWith('NCT') ? 'N' : 'S') + String(id).at(-1);
const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

describe('which records are one trial', () => {
  let db: Database;
  beforeAll(async () => {
    db = await openFixture();
  });
  afterAll(() => db.close());

  test.each(
    SITUATIONS.trim()
      .split(/\n(?=\S)/)
      .map(situationOf),
  )('$title', async (situation) => {
    await fillFixture(db, {
      held: situation.held.map(({ id, aliases }) => ({ id: long(id), aliases: aliases.map(long) })),
      stated: [
        ...situation.held.flatMap(({ id, aliases }) =>
          aliases.map((alias) => ({ by: long(id), type: TYPE.N!, value: long(alias), role: 'alias' as const })),
        ),
        ...situation.says.map((statement) => {
          const [by, value] = statement.split(/[>=~]/);
          const role = statement.includes('~') ? ('related' as const) : ('declared' as const);
          return { by: long(by!), type: TYPE[value![0]!]!, value: long(value!), role };
        }),
      ],
    });
    await forgetLedger(db);
    const report = await dedup(db, fixedEffects('2026-11-21T00:00:00Z'));

    const trials = await db.all(
      `SELECT string_agg(registration_id, '+' ORDER BY registry) AS ids FROM trial_members GROUP BY canonical_id`,
    );
    const shown = trials.map((row) => String(row.ids).split('+').map(short).join('+')).sort();
    expect(shown.join(', ')).toBe(situation.trials);

    const links = await db.all(`SELECT *, conflict::VARCHAR AS conflict_text FROM links`);
    const shownLinks = links.map((row) => {
      const mark = row.kind === 'shared-identifier' ? '=' : '>';
      const verdict = row.verdict === 'accepted' ? 'accepted' : row.reason;
      const conflict = row.conflict_text === 'true' ? ' !' : '';
      return `${short(row.from_id)}${mark}${short(row.to_id)} ${row.direction} ${verdict}${conflict}`;
    });
    expect(shownLinks.sort()).toEqual(situation.links);

    const relations = await db.all('SELECT from_id, to_id, reason FROM relations');
    const shownRelations = relations.map((row) => `${short(row.from_id)}>${short(row.to_id)} ${row.reason}`);
    expect(shownRelations.sort()).toEqual(situation.relations);
    expect(report.trials).toBe(trials.length);
    expect(report.merged).toBe(situation.trials.split(', ').filter((trial) => trial.includes('+')).length);
  });
});
