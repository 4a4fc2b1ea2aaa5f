import { describe, expect, test } from 'vitest';
import { emptyManifest } from '../../../test/builders/manifest.ts';
import { manifestRegistries } from '../../../test/builders/working-database.ts';
import { loadCheckRules } from './check-rules.ts';
import { assertAccepted, type Finding, PublicationRefused } from './gate.ts';
import { checkNumbers, type GateInput } from './number-checks.ts';

const rules = await loadCheckRules();

const exceeded = (next: GateInput, parent: GateInput | null): Finding[] =>
  checkNumbers(next, parent, rules).filter((finding) => finding.exceeded);

/** Name and numbers of what stops a snapshot. */
const findBreaches = (next: GateInput, parent: GateInput | null) =>
  exceeded(next, parent).map(({ name, detail }) => ({ name, detail }));

function input(registrations: number | null, quarantined = 0, inBoth = 0): GateInput {
  const [ctgov, isrctn] = manifestRegistries({ trials: [] });
  const state = registrations === null ? 'unanswered' : 'answered';
  const { counts } = emptyManifest('');
  return {
    corpus: 'registries',
    registries: [
      { ...ctgov!, state, registrations, quarantined: registrations === null ? null : quarantined },
      isrctn!,
    ],
    counts: { ...counts, inBoth },
  };
}

describe('the gate', () => {
  test('lets a registry shrink by exactly 2 % and stops at more', () => {
    expect(findBreaches(input(980), input(1000))).toEqual([]);
    expect(findBreaches(input(979), input(1000))).toEqual([
      { name: 'shrink:clinicaltrials_gov', detail: 'registrations fall from 1000 to 979 (2.1 %, at most 2 %)' },
    ]);
  });

  test('stops when merges rise by more than 50 and by more than 20 %', () => {
    expect(findBreaches(input(1, 0, 150), input(1, 0, 100))).toEqual([]);
    expect(findBreaches(input(1, 0, 151), input(1, 0, 100))).toEqual([
      { name: 'merge-jump', detail: 'trials merged from both registries rise from 100 to 151' },
    ]);
    expect(findBreaches(input(1, 0, 1200), input(1, 0, 1000))).toEqual([]);
    expect(findBreaches(input(1, 0, 1201), input(1, 0, 1000)).map((breach) => breach.name)).toEqual(['merge-jump']);
  });

  test('stops above 1 % of records in quarantine, also without a parent', () => {
    expect(findBreaches(input(990, 10), null)).toEqual([]);
    expect(findBreaches(input(989, 11), null)).toEqual([
      { name: 'quarantine:clinicaltrials_gov', detail: '11 of 1000 records could not be read' },
    ]);
  });

  test('stops when a registry that had answered is unanswered, not when it never answered', () => {
    expect(findBreaches(input(null), input(1000))).toEqual([
      {
        name: 'lost:clinicaltrials_gov',
        detail:
          'it had 1000 registrations and is now unanswered: DATA_DIR/raw holds no set of it; give --ctgov FILE, or fetch it with --source live',
      },
    ]);
    expect(findBreaches(input(null), input(null))).toEqual([]);
  });

  test('does not compare the sample with real data, but stops it from taking their place', () => {
    const sample = { ...input(10), corpus: 'sample' as const };
    expect(findBreaches(input(5000), sample)).toEqual([]);
    expect(findBreaches(sample, input(5000)).map((breach) => breach.name)).toEqual(['sample']);
  });

  test('names every breach, its numbers and what lets it pass', () => {
    const breaches = checkNumbers(input(900, 100), input(1000), rules);
    expect(() => assertAccepted(breaches, [])).toThrow(
      `not published; the served snapshot stays:
  quarantine:clinicaltrials_gov: 100 of 1000 records could not be read
  shrink:clinicaltrials_gov: registrations fall from 1000 to 900 (10 %, at most 2 %)
To accept all: --accept quarantine:clinicaltrials_gov shrink:clinicaltrials_gov --reason "who accepts it and why"`,
    );
    expect(() => assertAccepted(breaches, ['quarantine:clinicaltrials_gov'])).toThrow(
      `  shrink:clinicaltrials_gov: registrations fall from 1000 to 900 (10 %, at most 2 %); to publish anyway: --accept quarantine:clinicaltrials_gov shrink:clinicaltrials_gov --reason "who accepts it and why"`,
    );
  });

  test('passes only when each breach is accepted, and keeps only the names that were needed', () => {
    const breaches = checkNumbers(input(900, 100), input(1000), rules);
    expect(() => assertAccepted(breaches, ['shrink:clinicaltrials_gov'])).toThrow(PublicationRefused);
    const accept = ['shrink:clinicaltrials_gov', 'quarantine:clinicaltrials_gov', 'merge-jump'];
    expect(assertAccepted(breaches, accept)).toEqual(['quarantine:clinicaltrials_gov', 'shrink:clinicaltrials_gov']);
  });

  test('does not take records that were kept back for records that cannot be read', () => {
    const [quarantine] = checkNumbers(input(989, 11), null, rules, { clinicaltrials_gov: 9 });
    expect(quarantine).toMatchObject({ exceeded: false, affected: 2 });
  });
});
