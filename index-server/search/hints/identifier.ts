import type { AskedIdentifierRecord } from '../../../contract/schemas/trials/hints.ts';
import { parseIdentifier, parsePlaceholder, upperCaseId } from '../../../snapshot/format/identifiers.ts';
import { elsewhere } from '../../../snapshot/format/registry-addresses.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { divisionOf, heldRow, readListItem, readTrial, resolveId } from './held-trial.ts';
import type { CountedSearch, Hint } from './hint.ts';

const CANONICAL = /^wt_[0-9a-z]{12}$/i;
const STATED_SHOWN = 5;

/** Whether a text has the form of a canonical id or of an identifier that this index recognises. */
export function isIdentifier(text: string): boolean {
  return CANONICAL.test(text.trim()) || parseIdentifier(text) !== null || parsePlaceholder(text) !== null;
}

/** A number of ClinicalTrials.gov or ISRCTN, whatever the count of its digits. */
const REGISTRY_NUMBER = /^(NCT|ISRCTN)[ :_-]{0,2}(\d{1,20})$/;
const NUMBER_DIGITS = 8;
const NEAR_SHOWN = 3;

/** A text that is clearly meant for a registry's number but has too few or too many digits; null for any other. */
function slipIn(id: string): { letters: string; digits: string } | null {
  const text = upperCaseId(id.trim());
  const [, letters = '', digits = ''] = REGISTRY_NUMBER.exec(text) ?? [];
  return digits === '' || digits.length === NUMBER_DIGITS || parseIdentifier(text) !== null
    ? null
    : { letters, digits };
}

/** Held numbers that the text becomes with zeros before its digits, or with one digit put in or left out. */
function nearNumbers(image: SnapshotImage, id: string): string[] {
  const slip = slipIn(id);
  if (slip === null) return [];
  const { letters, digits } = slip;
  const forms = [digits.padStart(NUMBER_DIGITS, '0')];
  for (let place = 0; place <= digits.length; place++) {
    const [before, after] = [digits.slice(0, place), digits.slice(place)];
    forms.push(before + after.slice(1), ...Array.from('0123456789', (digit) => before + digit + after));
  }
  const numbers = [...new Set(forms)].filter(({ length }) => length === NUMBER_DIGITS).map((form) => letters + form);
  return numbers.filter((number) => heldRow(image, number) !== null).slice(0, NEAR_SHOWN);
}

/** What a refusal says of an id that leads to no trial, or to several, and what to do next where a near number is held. */
export function unheldId(image: SnapshotImage, id: string): { message: string; hint?: string } {
  const near = nearNumbers(image, id);
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
  if (slip !== null)
    return `${id} is not understood: an ${slip.letters} number has ${NUMBER_DIGITS} digits; this one has ${slip.digits.length}. No record states it as it stands.`;
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

/** Trials shown for a number that many state. */
const TRIALS_SHOWN = 5;

/** Where `q` as a whole is an identifier: the trials that it leads to. Words find it only where a text has it. */
export function askedIdentifier(image: SnapshotImage, text = ''): AskedIdentifierRecord | null {
  const q = withRegistry(image, text);
  if (!isIdentifier(q)) return null;
  const read = parseIdentifier(q) ?? parsePlaceholder(q);
  const value = read?.value ?? q.trim().toLowerCase();
  const found = resolveId(image, q);
  const trials = (found?.rows ?? []).slice(0, TRIALS_SHOWN).map((row) => readListItem(image, row).canonicalId);
  return {
    value,
    type: read?.type ?? 'canonical',
    standing: found?.standing ?? 'not-held',
    total: found?.rows.length ?? 0,
    trials: trials.map((canonicalId) => ({ canonicalId, call: `/api/v1/trials/${canonicalId}` })),
    call: registrationsCall(value),
  };
}

function registrationsCall(id: string): string {
  return `/api/v1/trials/registrations?id=${encodeURIComponent(id)}`;
}

/** The digits of a number with the letters of the registry that holds it; the text itself where none or both do. */
function withRegistry(image: SnapshotImage, text: string): string {
  if (!/^\s*\d{8}\s*$/.test(text)) return text;
  const held = ['NCT', 'ISRCTN'].map((letters) => letters + text.trim()).filter((id) => heldRow(image, id) !== null);
  return held.length === 1 ? held[0]! : text;
}

const NUMBER = /\b(?:nct|isrctn)\d{8}\b/giu;
/** Numbers among words that are looked up for one query. */
const NUMBERS_NAMED = 3;

/** What the count of `q` says nothing of: a number that it is, or has among its words, and a number that is not held. */
export function identifierHints({ image, query: { q = '' }, total }: CountedSearch): Hint[] {
  const asked = askedIdentifier(image, q);
  if (asked !== null && asked.total > 0) {
    const sentence = `${asked.value} is an identifier: ${total} counts the trials whose text has it as a word, which says nothing of ${asked.total === 1 ? 'the trial that it names' : `the ${asked.total} trials that it leads to`}.`;
    return [{ sentence, call: asked.call }];
  }
  if (asked !== null || (slipIn(q) !== null && resolveId(image, q) === null)) {
    const { message, hint } = unheldId(image, q.trim());
    return [{ sentence: hint === undefined ? message : `${message} ${hint}` }];
  }
  const numbers = [...new Set((q.match(NUMBER) ?? []).map((number) => number.toUpperCase()))];
  return numbers.slice(0, NUMBERS_NAMED).map((number) => {
    const trials = resolveId(image, number)?.rows.length ?? 0;
    const sentence = `${number} in q is the number of a registration and was matched as a word`;
    return trials === 0
      ? { sentence: `${sentence}: no trial of this index has it.` }
      : { sentence: `${sentence}.`, call: registrationsCall(number) };
  });
}
