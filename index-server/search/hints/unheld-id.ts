import { parseIdentifier, parsePlaceholder, upperCaseId } from '../../../snapshot/format/identifiers.ts';
import { elsewhere } from '../../../snapshot/format/registry-addresses.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { divisionOf, heldRow, readTrial, resolveId } from './held-trial.ts';

const CANONICAL = /^wt_[0-9a-z]{12}$/i;
const STATED_SHOWN = 5;

/** Whether a text has the form of a canonical id or of an identifier that this index recognises. */
export function isIdentifier(text: string): boolean {
  return CANONICAL.test(text.trim()) || parseIdentifier(text) !== null || parsePlaceholder(text) !== null;
}

interface Slip {
  /** Which digits such a number has, and which this one has. */
  told: string;
  /** Held numbers that the text becomes when digits are put right. */
  near: (image: SnapshotImage) => string[];
}

/** A number of ClinicalTrials.gov or ISRCTN, and a number of the EU, whatever the count of their digits. */
const REGISTRY_NUMBER = /^(NCT|ISRCTN)[ :_-]{0,2}(\d{1,20})$/;
const EU_NUMBER = /^(?:(?:EUDRA[ -]?CT|EU[ -]?CT)[ :_-]{0,2})?(20\d\d) ?- ?(\d{4,8}) ?- ?(\d{1,4})$/;
const NUMBER_DIGITS = 8;
const EU_DIGITS: readonly number[] = [4, 6, 2];
const NEAR_SHOWN = 3;
const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const;

/** What is wrong with a number that is clearly meant for a registry but has too few or too many digits; null for any other text. */
function slipIn(id: string): Slip | null {
  const text = upperCaseId(id.trim());
  if (parseIdentifier(text) !== null) return null;
  const [, letters = '', digits = ''] = REGISTRY_NUMBER.exec(text) ?? [];
  if (digits !== '') return registrySlip(letters, digits);
  const groups = EU_NUMBER.exec(text)?.slice(1) ?? [];
  return groups.length === 0 ? null : euSlip(groups);
}

function registrySlip(letters: string, digits: string): Slip | null {
  if (digits.length === NUMBER_DIGITS) return null;
  return {
    told: `an ${letters} number has ${COUNTS[NUMBER_DIGITS]} digits; this one has ${inWords(digits.length)}`,
    near: (image) =>
      nearDigits(digits, NUMBER_DIGITS, (form) => heldRow(image, letters + form) !== null).map(
        (form) => letters + form,
      ),
  };
}

/** The year is right. Near numbers are looked up where only one of the other two groups is wrong. */
function euSlip(groups: readonly string[]): Slip | null {
  const wrong = groups.flatMap((group, place) => (group.length === EU_DIGITS[place] ? [] : [place]));
  const [place] = wrong;
  if (place === undefined) return null;
  const name = groups[1]!.startsWith('5') ? 'an EU CT number' : 'a EudraCT number';
  const [year, middle, last] = groups.map((group) => inWords(group.length));
  const whole = (form: string): string => groups.with(place, form).join('-');
  return {
    told: `${name} has the form YYYY-NNNNNN-CC, with four, six and two digits; this one has ${year}, ${middle} and ${last}`,
    near: (image) =>
      wrong.length > 1
        ? []
        : nearDigits(groups[place]!, EU_DIGITS[place]!, (form) => resolveId(image, whole(form)) !== null).map(whole),
  };
}

function inWords(count: number): string {
  return COUNTS[count] ?? String(count);
}

/** Held forms of the digits: where zeros that were lost or added are put right, else where any one digit is. */
function nearDigits(digits: string, wanted: number, isHeld: (form: string) => boolean): string[] {
  const away = Math.abs(digits.length - wanted);
  if (away > MENDED_DIGITS) return [];
  let forms = new Set([digits]);
  for (let length = digits.length; length !== wanted; length += length < wanted ? 1 : -1) {
    forms = new Set([...forms].flatMap((form) => (length < wanted ? withOneMore(form, '0') : withOneLess(form, '0'))));
  }
  const found = [...forms].filter(isHeld);
  if (found.length > 0 || away > 1) return found.slice(0, NEAR_SHOWN);
  const others = digits.length < wanted ? withOneMore(digits, '0123456789') : withOneLess(digits, '0123456789');
  return [...new Set(others)].filter(isHeld).slice(0, NEAR_SHOWN);
}

/** More lost digits than these lead to too many numbers to look up. */
const MENDED_DIGITS = 4;

function withOneMore(digits: string, added: string): string[] {
  return [...digits, ''].flatMap((_, place) =>
    [...added].map((digit) => `${digits.slice(0, place)}${digit}${digits.slice(place)}`),
  );
}

function withOneLess(digits: string, dropped: string): string[] {
  return [...digits].flatMap((digit, place) =>
    dropped.includes(digit) ? [digits.slice(0, place) + digits.slice(place + 1)] : [],
  );
}

/** What a refusal says of an id that leads to no trial, or to several, and what to do next where a near number is held. */
export function unheldId(image: SnapshotImage, id: string): { message: string; hint?: string } {
  const near = slipIn(id)?.near(image) ?? [];
  const message = messageOf(image, id);
  if (near.length === 0) return { message };
  const calls = near.map((number) => `GET /api/v1/trials/${number}`).join(' or ');
  return { message, hint: `Near it and held, with digits put in or left out: ${calls}.` };
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
  const slip = slipIn(id);
  if (slip !== null) return `${id} is not understood: ${slip.told}. No record states it as it stands.`;
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

/**
 * What an answer says of `q` where it is the number of a record that is not held, or was meant for one: the count of its words
 * says nothing of it.
 */
export function unheldNotice(image: SnapshotImage, q = ''): string | null {
  if (!(isIdentifier(q) || slipIn(q) !== null) || resolveId(image, q) !== null) return null;
  const { message, hint } = unheldId(image, q.trim());
  return hint === undefined ? message : `${message} ${hint}`;
}
