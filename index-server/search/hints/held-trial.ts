import type { TrialListItem, TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import { parseIdentifier } from '../../../snapshot/format/identifiers.ts';
import { foldId, type IdStanding } from '../../../snapshot/format/serving-columns.ts';
import { unpackBytes } from '../../../snapshot/format/words/packed-text.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { document } from '../documents.ts';

export interface ResolvedId {
  /** How the id leads to the trial: its canonical id, a previous one, a registration it holds, a number or code it states. */
  standing: IdStanding | 'divided';
  /** One row, or several for a number that several trials state, or for an id that was divided. */
  rows: number[];
}

/**
 * The trials that an id leads to by its strongest standing, or null. Takes a canonical id, a registry id or any declared
 * number, in any case and in every spelling that identifiers are recognised by.
 */
export function resolveId(image: SnapshotImage, id: string): ResolvedId | null {
  const parsed = parseIdentifier(id);
  for (const spelling of parsed === null ? [id] : [id, parsed.value]) {
    const entries = image.idEntries(foldId(spelling));
    const standing = entries[0]?.standing;
    if (standing !== undefined) {
      const rows = entries.filter((entry) => entry.standing === standing).map(({ row }) => row);
      // A former id of two trials: its founding registration came to stand with another partner.
      return { standing: standing === 'alias' && rows.length > 1 ? 'divided' : standing, rows };
    }
  }
  return null;
}

/** Standings of ids that one trial holds. A number or code that a trial only states does not make it that trial. */
const HELD: readonly ResolvedId['standing'][] = ['canonical', 'alias', 'registration', 'superseded'];

/** Row of the one trial that holds the id, or null; of a superseded record the trial of the one in its place. */
export function heldRow(image: SnapshotImage, id: string): number | null {
  const found = resolveId(image, id);
  return found !== null && HELD.includes(found.standing) ? (found.rows[0] ?? null) : null;
}

/** One trial with all its fields. */
export function readTrial(image: SnapshotImage, row: number): TrialRecord {
  return JSON.parse(document(image, row, { detail: 'full', eligibility: true }).toString('utf8')) as TrialRecord;
}

/** The record that has an id as its own number and that another of the trial in `row` superseded; null for any other id. */
export function supersededRecord(image: SnapshotImage, row: number, id: string): TrialRecord | null {
  if (resolveId(image, id)?.standing !== 'superseded') return null;
  const number = foldId(parseIdentifier(id)?.value ?? id);
  const isAsked = ({ registrations }: TrialRecord) => registrations.some((one) => foldId(one.id) === number);
  return supersededRecords(image, row).find(isAsked) ?? null;
}

/** Every record that another of the trial in `row` superseded. */
export function supersededRecords(image: SnapshotImage, row: number): TrialRecord[] {
  const packed = image.slice(row, 'superseded');
  return packed.length === 0 ? [] : (JSON.parse(unpackBytes(packed).toString('utf8')) as TrialRecord[]);
}

/** One trial without the fields of its registrations and its eligibility, in half the time. */
export function readListItem(image: SnapshotImage, row: number): TrialListItem {
  const text = document(image, row, { detail: 'brief', eligibility: false }).toString('utf8');
  return JSON.parse(text) as TrialListItem;
}

/** The registrations of one trial, without their fields. */
export function readRegistrations(image: SnapshotImage, row: number): TrialListItem['registrations'] {
  return JSON.parse(image.slice(row, 'brief').toString('utf8')) as TrialListItem['registrations'];
}

/** Trials named in an error; a number or an id rarely leads to more than two. */
const NAMED = 5;

/** What an error says of an id that leads to several trials, and why there are several. Empty for any other id. */
export function divisionOf(image: SnapshotImage, id: string): { message?: string } {
  const found = resolveId(image, id);
  if (found?.standing !== 'divided' && found?.standing !== 'claimed') return {};
  const shown = found.rows.slice(0, NAMED).map((row) => readTrial(image, row));
  const more = found.rows.length > NAMED ? ` and ${found.rows.length - NAMED} more` : '';
  if (found.standing === 'claimed') {
    const number = parseIdentifier(id)?.value ?? id;
    const claimants = shown.map(
      ({ canonicalId, registrations }) => `${claimantOf(registrations, number)} (${canonicalId})`,
    );
    return {
      message: `${number} is an earlier number of ${claimants.join(' and of ')}${more}: a number that several records claim means none of them. Use the number of the record that you mean.`,
    };
  }
  const trials = shown.map(
    ({ canonicalId, registrations }) => `${canonicalId} (${registrations.map((one) => one.id).join(' with ')})`,
  );
  return {
    message: `${id} was given to registrations that now stand in different trials: ${trials.join(' and ')}${more}. Its founding registration came to stand with another partner, so the id was divided. Use the id of the trial that you mean.`,
  };
}

/** The registration that lists a number among its earlier ones; where a superseded record lists it, the one in its place. */
function claimantOf(registrations: TrialRecord['registrations'], number: string): string {
  const [first] = registrations;
  return (registrations.find(({ aliases }) => aliases.includes(number)) ?? first!).id;
}
