import { parseIdentifier, parsePlaceholder, upperCaseId } from '../../snapshot-format/identifiers.ts';
import { elsewhere } from '../../snapshot-format/registry-addresses.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { divisionOf, heldRow, readTrial, resolveId } from './held-trial.ts';

const CANONICAL = /^wt_[0-9a-z]{12}$/i;
const STATED_SHOWN = 5;

/** Whether a text has the form of a canonical id or of an identifier that this index recognises. */
export function isIdentifier(text: string): boolean {
  return CANONICAL.test(text.trim()) || parseIdentifier(text) !== null || parsePlaceholder(text) !== null;
}

/** A number of a registry with digits that are too many or too few. */
const OTHER_LENGTH = /^(NCT|ISRCTN)[ :_-]{0,2}(\d{4,12})$/;
const NUMBER_DIGITS = 8;
const NEAR_SHOWN = 3;

/** Held numbers that the text becomes where zeros that were lost or added are put right; zeros in front come first. */
function nearNumbers(image: SnapshotImage, id: string): string[] {
  const [, letters = '', digits = ''] = OTHER_LENGTH.exec(upperCaseId(id.trim())) ?? [];
  if (digits === '' || digits.length === NUMBER_DIGITS) return [];
  let forms = new Set([digits]);
  for (let length = digits.length; length !== NUMBER_DIGITS; length += length < NUMBER_DIGITS ? 1 : -1) {
    forms = new Set([...forms].flatMap(length < NUMBER_DIGITS ? withOneZero : withoutOneZero));
  }
  return [...forms]
    .map((form) => letters + form)
    .filter((number) => heldRow(image, number) !== null)
    .slice(0, NEAR_SHOWN);
}

function withOneZero(digits: string): string[] {
  return [...digits, ''].map((_, place) => `${digits.slice(0, place)}0${digits.slice(place)}`);
}

function withoutOneZero(digits: string): string[] {
  return [...digits].flatMap((digit, place) => (digit === '0' ? digits.slice(0, place) + digits.slice(place + 1) : []));
}

/** What a refusal says of an id that leads to no trial, or to several, and what to do next where a near number is held. */
export function unheldId(image: SnapshotImage, id: string): { message: string; hint?: string } {
  const near = nearNumbers(image, id);
  const message = messageOf(image, id);
  if (near.length === 0) return { message };
  const calls = near.map((number) => `GET /api/v1/trials/${number}`).join(' or ');
  return {
    message,
    hint: `A number has ${NUMBER_DIGITS} digits. With zeros put in or left out, this one is held: ${calls}.`,
  };
}

/** Not understood and not held are two things. */
function messageOf(image: SnapshotImage, id: string): string {
  const { message } = divisionOf(image, id);
  if (message !== undefined) return message;
  if (CANONICAL.test(id.trim())) {
    return `${id} is a canonical id, but no trial of this index has it or had it before.`;
  }
  const example = parsePlaceholder(id);
  if (example !== null) {
    return `${example.value} is understood (${example.type}) but not held: it is a number that people write where they have none, and no registry gives it to a record.`;
  }
  const read = parseIdentifier(id);
  if (read === null) {
    return `${id} is not understood: it has the form of no canonical id (wt_ and twelve characters) and of no registry identifier, and no record states it. To search for words, use /api/v1/trials/search.`;
  }
  const stated = resolveId(image, id)?.rows.map((row) => readTrial(image, row).canonicalId) ?? [];
  if (stated.length > 0) {
    return `${read.value} is understood (${read.type}) but not held: no registration here has it. It is only stated by ${stated.slice(0, STATED_SHOWN).join(', ')}; /api/v1/trials/registrations?id= shows where. ${elsewhere(read)}`.trimEnd();
  }
  const more = [...(read.suspect ? [FAILS_CHECK] : []), elsewhere(read)].filter((sentence) => sentence !== '');
  const not =
    'no registration of this index has it and none states it, which does not prove that it was never registered.';
  return [`${read.value} is understood (${read.type}) but not held: ${not}`, ...more].join(' ');
}

const FAILS_CHECK = 'It fails the check of such numbers, so a digit may be wrong.';

/** What an answer says of `q` where it is the number of a record that is not held: the count of its words says nothing of it. */
export function unheldNotice(image: SnapshotImage, q = ''): string | null {
  return isIdentifier(q) && resolveId(image, q) === null ? unheldId(image, q).message : null;
}
