import type { Fail } from '../../server-kit/mount.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import { standingWork, unknownFilter, unknownWork } from './declared-work.ts';

/** Checks of what a request names, against the board as it is; the research surfaces share them. */

interface Work {
  objectiveId?: string | null | undefined;
  questionId?: string | null | undefined;
}

interface Issue {
  path: string;
  message: string;
}

/** Refuses list filters by an unknown objective or question. */
export async function refuseUnknownFilter(
  db: Reader,
  now: number,
  filter: Work,
  fail: Fail<'INVALID_PARAM'>,
): Promise<void> {
  const issues = unknownFilter(await standingWork(db, now), filter);
  const first = issues[0];
  if (!first) return;
  fail('INVALID_PARAM', {
    message: `The parameter ${first.path} is not usable: ${first.message}.`,
    parameter: first.path,
    expected: first.message.replace(/^expected /, ''),
    issues,
  });
}

/** Issues of a body that names an unknown objective or question. */
export async function workIssues(tx: Transaction, body: Work): Promise<Issue[]> {
  return unknownWork(await standingWork(tx, tx.now), body);
}

/** Refuses a creation or action with all of its issues; does nothing where there are none. */
export function refuseIssues(issues: readonly Issue[], fail: Fail<'submission_rejected'>): void {
  if (issues.length === 0) return;
  fail('submission_rejected', {
    message: issuesInWords(issues),
    issues: [...issues],
  });
}

/** All of the issues in one sentence. */
export function issuesInWords(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
}

/** The action, if it is one that the object has; otherwise refuses it. */
export function knownAction<const Action extends string>(
  actions: readonly Action[],
  action: string,
  fail: Fail<'UNKNOWN_ACTION'>,
): Action {
  const expected = `one of ${actions.join(', ')}`;
  return (
    actions.find((known) => known === action) ??
    fail('UNKNOWN_ACTION', {
      message: `The action is none that this object has: expected ${expected}.`,
      parameter: 'action',
      expected,
    })
  );
}
