import type { RegistryId } from '../../contract/ids.ts';
import type { IdentifierType } from './registration.ts';
import { unifyText } from './words/ascii.ts';

/**
 * Recognises identifiers by pattern, in strings of typed id fields and in user input. A shape that could be something
 * else (grants, sponsor codes, ethics numbers, bare numbers) is not recognised, so no identifier is ever misread.
 */

export interface RecognisedIdentifier {
  type: IdentifierType;
  /** Normalised: recognised again, it gives itself. Bare digits for `iras` and `cpms`. */
  value: string;
  /** True when the shape is right but a known check fails. */
  suspect: boolean;
}

/** Blanks and punctuation between a prefix and its number, within one line. */
const SEP = '[ \\t:#._/-]{0,3}';
/** "No.", "ID" and the like between a prefix and its number. */
export const PREFIX_LABEL = `(?:[ \\t_-]?(?:NO|NR|NUMBER|NUM|ID|IDENTIFIER)(?![A-Z]))?${SEP}`;
/** Between the groups of a number. */
const DASH = '(?: {0,2}- {0,2}| )';
const EU_PREFIX = `(?:(?:EUDRA[ -]?CT|EUCTR|EU[ -]?CTR?|CTIS)${PREFIX_LABEL})?`;

/** Country suffixes of EudraCT numbers in the EU register. */
const COUNTRY = 'AT|BE|BG|CY|CZ|DE|DK|EE|ES|FI|FR|GB|GR|HR|HU|IE|IS|IT|LI|LT|LU|LV|MT|NL|NO|PL|PT|RO|SE|SI|SK|UK';

/** From this number on, ClinicalTrials.gov's numbers are multiples of 13: observed, not documented. */
export const NCT_CHECKED_FROM = 7000;
const NCT_DIVISOR = 13;

export function passesNctCheck(digits: string): boolean {
  const number = Number(digits);
  return number < NCT_CHECKED_FROM || number % NCT_DIVISOR === 0;
}

/** Upper case, dashes and blanks unified; the groups of `shape` are the numbered parts of `form`, the normalised value. */
type IdentifierPattern = [type: IdentifierType, shape: string, form: string];

const PATTERNS: readonly IdentifierPattern[] = [
  ['nct', `NCT${PREFIX_LABEL}(\\d{8})`, 'NCT$1'],
  // Letters swapped in file names.
  ['isrctn', `(?:ISRCTN|ISCRTN)${PREFIX_LABEL}(\\d{8})`, 'ISRCTN$1'],
  // Sixth digit 0, years 2004 to 2029; a country or a glued-on resubmission does not belong to the number.
  [
    'eudract',
    `(?<!-)${EU_PREFIX}(20(?:0[4-9]|[12]\\d))${DASH}(0\\d{5})${DASH}([1-9]\\d)(?:[-/ ]?(?:${COUNTRY}|3RD|OUTSIDE[- ]EU/EEA)|-\\d\\d)?(?!-?\\d)`,
    '$1-$2-$3',
  ],
  // Sixth digit 5, years from 2021; the fourth group counts resubmissions of one trial.
  [
    'euct',
    `(?<!-)${EU_PREFIX}(20(?:2[1-9]|[34]\\d))${DASH}(5\\d{5})${DASH}([1-9]\\d)(?:${DASH}\\d\\d)?(?!-?\\d)`,
    '$1-$2-$3',
  ],
  ['utn', `U(1111)${DASH}?(\\d{4})${DASH}?(\\d{4})`, 'U$1-$2-$3'],
  // The letter p marks prospective registration in print.
  ['actrn', `(?:ACTRN|ANZCTR)${PREFIX_LABEL}(126\\d{11})P?`, 'ACTRN$1'],
  ['drks', `DRKS${PREFIX_LABEL}(000\\d{5})`, 'DRKS$1'],
  ['umin', `(?:JPRN${SEP})?UMIN${PREFIX_LABEL}(0000\\d{5})`, 'UMIN$1'],
  ['jrct', `(?:JPRN${SEP})?JRCT${SEP}(\\d{10})`, 'jRCT$1'],
  ['jrct', `(?:JPRN${SEP})?JRCT${SEP}S(\\d{9})`, 'jRCTs$1'],
  ['pactr', `PACTR${PREFIX_LABEL}(20\\d{13,14})`, 'PACTR$1'],
  ['chictr', `CHICTR${SEP}([12]\\d{9})`, 'ChiCTR$1'],
  ['chictr', `CHICTR${SEP}([A-Z]{3,4})-?(\\d{8})`, 'ChiCTR-$1-$2'],
  ['ctri', 'CTRI ?/ ?(20\\d\\d) ?/ ?(\\d{2,3}) ?/ ?(\\d{6})', 'CTRI/$1/$2/$3'],
  ['irct', `IRCT${SEP}(\\d{11,14}N\\d{1,3})`, 'IRCT$1'],
  ['kct', `KCT${SEP}(00\\d{5})`, 'KCT$1'],
  ['ctrp', 'NCI-?((?:19|20)\\d\\d)-?(\\d{5})', 'NCI-$1-$2'],
  ['snctp', `SNCTP${SEP}(\\d{9})`, 'SNCTP$1'],
  ['slctr', 'SLCTR ?/ ?(20\\d\\d) ?/ ?(\\d{3})', 'SLCTR/$1/$2'],
  ['tctr', `TCTR${SEP}(20\\d{9})`, 'TCTR$1'],
  ['rebec', 'RBR ?- ?(\\d[0-9A-Z]{5,7})', 'RBR-$1'],
  ['rpcec', `RPCEC${SEP}(0{5}\\d{3})`, 'RPCEC$1'],
  ['lbctr', `LBCTR${SEP}(20\\d{8})`, 'LBCTR$1'],
  ['itmctr', `ITMCTR${SEP}([12]\\d{9})`, 'ITMCTR$1'],
  ['japic', `JAPIC-?CTI${SEP}(\\d{6})`, 'JapicCTI-$1'],
  ['jma', `JMA-?(IIA\\d{5})`, 'JMA-$1'],
  // A bare number is one of these only in its own field.
  ['iras', 'IRAS(?: PROJECT)?(?: ?(?:ID|NO|NUMBER|REF(?:ERENCE)?))?[ .:#-]{0,3}([1-9]\\d{4,6})', '$1'],
  ['cpms', 'CPMS(?: ?(?:ID|NO|NUMBER|REF(?:ERENCE)?))?[ .:#-]{0,3}([1-9]\\d{3,5})', '$1'],
];

/** Short shapes that are also parts of many other codes; recognised only as the whole string. */
const WHOLE_PATTERNS: readonly IdentifierPattern[] = [
  ['ntr', 'NTR ?-?([1-9]\\d{1,3})', 'NTR$1'],
  ['ntr', 'NL ?-?OMON ?-?(\\d{5})', 'NL-OMON$1'],
];

/** A match has no letter or digit next to it, so no id is cut out of a longer token. */
const SEARCHED = PATTERNS.map(([type, shape, form]) => ({
  ...{ type, form },
  expression: new RegExp(`(?<![\\p{L}\\p{N}])${shape}(?![\\p{L}\\p{N}])`, 'gu'),
}));
const WHOLE = [...PATTERNS, ...WHOLE_PATTERNS].map(([type, shape, form]) => ({
  ...{ type, form },
  expression: new RegExp(`^${shape}$`, 'u'),
}));
type Compiled = (typeof WHOLE)[number];
/** Matches where one of these would; most sponsors' codes hold no identifier, and one expression finds that ten times as fast. */
const ANY = new RegExp([...SEARCHED, ...WHOLE].map(({ expression: { source } }) => source).join('|'), 'u');

export const PLACEHOLDER_IDS = new Set([
  'NCT00000000',
  'NCT99999999',
  'NCT12345678',
  'NCT87654321',
  'ISRCTN00000000',
  'ISRCTN99999999',
]);
/** The serial number is all zeros. */
const ZERO_SERIAL = /^(?:20\d\d-[05]0{5}-\d\d|U1111-0000-0000|CTRI\/.*\/000000|[A-Za-z-]+0{5,})$/;

/** Soft hyphens, which are real hyphens in an id. */
const SOFT_HYPHEN = /\u00ad/g;

/** The form in which identifiers are recognised: dashes unified, ASCII letters upper case. */
export function upperCaseId(raw: string): string {
  // ASCII letters only: another letter's capitals may be longer (ß, SS) and look like a country.
  return unifyText(raw.replace(SOFT_HYPHEN, '-'))
    .replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    .trim();
}

function identifierOf(pattern: Compiled, match: RegExpMatchArray): RecognisedIdentifier | null {
  const value = normalisedValue(pattern, match);
  if (isPlaceholder(value)) return null;
  return { type: pattern.type, value, suspect: pattern.type === 'nct' && !passesNctCheck(value.slice(3)) };
}

function normalisedValue({ type, form }: Compiled, match: RegExpMatchArray): string {
  const value = form.replace(/\$(\d)/g, (_, place: string) => match[Number(place)] ?? '');
  return type === 'rebec' ? `RBR-${value.slice(4).toLowerCase()}` : value;
}

function isPlaceholder(value: string): boolean {
  return PLACEHOLDER_IDS.has(value) || ZERO_SERIAL.test(value);
}

/**
 * The distinct identifiers in the string of a typed id field, in order of appearance, without placeholders. Never call
 * it on titles, summaries or references, where an id is only mentioned.
 */
export function recogniseIdentifiers(raw: string): RecognisedIdentifier[] {
  const text = upperCaseId(raw);
  if (!ANY.test(text)) return [];
  const found: { at: number; identifier: RecognisedIdentifier }[] = [];
  for (const pattern of SEARCHED) {
    for (const match of text.matchAll(pattern.expression)) {
      const identifier = identifierOf(pattern, match);
      if (identifier !== null) found.push({ at: match.index, identifier });
    }
  }
  if (found.length === 0) {
    const whole = readWhole(text);
    return whole === null ? [] : [whole];
  }
  found.sort((a, b) => a.at - b.at);
  const distinct = new Map(found.map(({ identifier }) => [`${identifier.type} ${identifier.value}`, identifier]));
  return [...distinct.values()];
}

function readWhole(text: string): RecognisedIdentifier | null {
  for (const pattern of WHOLE) {
    const match = pattern.expression.exec(text);
    if (match !== null) return identifierOf(pattern, match);
  }
  return null;
}

const ADDRESS =
  /^(?:DOI:? ?)?(?:HTTPS?:\/\/)?(?:(?:DX\.)?DOI\.ORG\/)?10\.1186\/(?=ISRCTN)|^(?:HTTPS?:\/\/)?(?:WWW\.)?(?:ISRCTN\.COM\/|CLINICALTRIALS\.GOV\/(?:STUDY|CT2\/SHOW|SHOW)\/)/;

/** Punctuation around an id that was copied out of a sentence. */
// The end is tried from the first of a run of characters only, not from each of thousands.
const OUTER_PUNCTUATION = /^[\s"'([<{]+|(?<![\s"')\]>}.,;:/])[\s"')\]>}.,;:/]+$/g;

/**
 * The identifier in a user's string: in any case, with blanks inside, or as an ISRCTN record's DOI or page address. Null
 * when the string holds anything else, more than one id, or a placeholder.
 */
export function parseIdentifier(raw: string): RecognisedIdentifier | null {
  const [text, joined] = spellingsOf(raw);
  return readWhole(text) ?? readWhole(joined);
}

/** A user's string, and the same without blanks. */
function spellingsOf(raw: string): [string, string] {
  const text = upperCaseId(raw).replace(OUTER_PUNCTUATION, '').replace(ADDRESS, '');
  return [text, text.replace(/[ \t]+/g, '')];
}

/** The placeholder in a user's string, which `parseIdentifier` does not read: it has the form of a number, as NCT12345678. */
export function parsePlaceholder(raw: string): Pick<RecognisedIdentifier, 'type' | 'value'> | null {
  for (const text of spellingsOf(raw)) {
    for (const pattern of WHOLE) {
      const match = pattern.expression.exec(text);
      const value = match === null ? null : normalisedValue(pattern, match);
      if (value !== null && isPlaceholder(value)) return { type: pattern.type, value };
    }
  }
  return null;
}

/** Registry whose records an identifier of this type names; null when this index does not hold that registry. */
export function registryOfIdentifier(type: IdentifierType): RegistryId | null {
  if (type === 'nct') return 'clinicaltrials_gov';
  return type === 'isrctn' ? 'isrctn' : null;
}

/** An EudraCT number whose check part has not two digits of 10 to 99: kept and flagged, never compared with another. */
const ODD_EUDRACT = new RegExp(`^${EU_PREFIX}(20(?:0[4-9]|[12]\\d))${DASH}(0\\d{5})${DASH}(\\d{1,3})$`, 'u');

/** A EudraCT number with an odd check part, in a field that is for EudraCT numbers; null for any other text. */
export function oddEudract(raw: string): RecognisedIdentifier | null {
  const groups = ODD_EUDRACT.exec(upperCaseId(raw))?.slice(1);
  return groups === undefined ? null : { type: 'eudract', value: groups.join('-'), suspect: true };
}

const NUMERIC = {
  iras: /^(?:IRAS[ :#-]{0,3}(?:(?:PROJECT )?(?:ID|NO|NUMBER)[ .:#-]{0,3})?)?([1-9]\d{4,6})$/,
  cpms: /^(?:CPMS[ :#-]{0,3}(?:(?:ID|NO|NUMBER)[ .:#-]{0,3})?)?([1-9]\d{3,5})$/,
} as const;

/** A number from the ISRCTN field that holds nothing but numbers of this type (IRAS 5 to 7 digits, CPMS 4 to 6). */
export function numericIdentifier(type: 'iras' | 'cpms', raw: string): RecognisedIdentifier | null {
  const value = NUMERIC[type].exec(upperCaseId(raw))?.[1];
  return value === undefined ? null : { type, value, suspect: false };
}
