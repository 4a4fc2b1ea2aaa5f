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

interface IdentifierPattern {
  type: IdentifierType;
  /** Upper case, dashes and blanks unified; groups hold what `value` needs. */
  shape: string;
  value: (groups: readonly string[]) => string;
  isSuspect?: (value: string) => boolean;
  why: string;
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

const plain =
  (prefix: string) =>
  (groups: readonly string[]): string =>
    prefix + groups.join('');
const dashed = (groups: readonly string[]): string => groups.join('-');

/** From this number on, ClinicalTrials.gov's numbers are multiples of 13: observed, not documented. */
export const NCT_CHECKED_FROM = 7000;
const NCT_DIVISOR = 13;

export function passesNctCheck(digits: string): boolean {
  const number = Number(digits);
  return number < NCT_CHECKED_FROM || number % NCT_DIVISOR === 0;
}

const PATTERNS: readonly IdentifierPattern[] = [
  {
    type: 'nct',
    shape: `NCT${PREFIX_LABEL}(\\d{8})`,
    value: plain('NCT'),
    isSuspect: (value) => !passesNctCheck(value.slice(3)),
    why: 'NCT 00987688',
  },
  {
    type: 'isrctn',
    shape: `(?:ISRCTN|ISCRTN)${PREFIX_LABEL}(\\d{8})`,
    value: plain('ISRCTN'),
    why: 'ISRCTN No. 60081949; letters swapped in file names',
  },
  {
    type: 'eudract',
    // Sixth digit 0, years 2004 to 2029; a country or a glued-on resubmission does not belong to the number.
    shape: `(?<!-)${EU_PREFIX}(20(?:0[4-9]|[12]\\d))${DASH}(0\\d{5})${DASH}([1-9]\\d)(?:[-/ ]?(?:${COUNTRY}|3RD|OUTSIDE[- ]EU/EEA)|-\\d\\d)?(?!-?\\d)`,
    value: dashed,
    why: 'EUCTR2008-005514-40-GB, CTIS2020-005891-36-00',
  },
  {
    type: 'euct',
    // Sixth digit 5, years from 2021; the fourth group counts resubmissions of one trial.
    shape: `(?<!-)${EU_PREFIX}(20(?:2[1-9]|[34]\\d))${DASH}(5\\d{5})${DASH}([1-9]\\d)(?:${DASH}\\d\\d)?(?!-?\\d)`,
    value: dashed,
    why: '2023-506674-13-00',
  },
  {
    type: 'utn',
    shape: `U(1111)${DASH}?(\\d{4})${DASH}?(\\d{4})`,
    value: (groups) => `U${dashed(groups)}`,
    why: '(UTN) U1111-1139-2991',
  },
  {
    type: 'actrn',
    shape: `(?:ACTRN|ANZCTR)${PREFIX_LABEL}(126\\d{11})P?`,
    value: plain('ACTRN'),
    why: 'ANZCTR 12608000409370; p marks prospective registration in print',
  },
  { type: 'drks', shape: `DRKS${PREFIX_LABEL}(000\\d{5})`, value: plain('DRKS'), why: 'DRKS00012345' },
  {
    type: 'umin',
    shape: `(?:JPRN${SEP})?UMIN${PREFIX_LABEL}(0000\\d{5})`,
    value: plain('UMIN'),
    why: 'JPRN-UMIN000003856',
  },
  {
    type: 'jrct',
    shape: `(?:JPRN${SEP})?JRCT${SEP}(S\\d{9}|\\d{10})`,
    value: ([number = '']) => `jRCT${number.toLowerCase()}`,
    why: 'jRCT2031230085, jRCTs031180001',
  },
  { type: 'pactr', shape: `PACTR${PREFIX_LABEL}(20\\d{13,14})`, value: plain('PACTR'), why: 'PACTR201105000291301' },
  {
    type: 'chictr',
    shape: `CHICTR${SEP}(?:([A-Z]{3,4})-?(\\d{8})|([12]\\d{9}))`,
    value: (groups) => (groups.length === 2 ? `ChiCTR-${dashed(groups)}` : `ChiCTR${groups.join('')}`),
    why: 'ChiCTR2500095990, ChiCTR1800012345, ChiCTR-TRC-10001234',
  },
  {
    type: 'ctri',
    shape: 'CTRI ?/ ?(20\\d\\d) ?/ ?(\\d{2,3}) ?/ ?(\\d{6})',
    value: (groups) => `CTRI/${groups.join('/')}`,
    why: 'CTRI/2008/091/000058',
  },
  { type: 'irct', shape: `IRCT${SEP}(\\d{11,14}N\\d{1,3})`, value: plain('IRCT'), why: 'IRCT20080901001165N12' },
  { type: 'kct', shape: `KCT${SEP}(00\\d{5})`, value: plain('KCT'), why: 'KCT0001234' },
  {
    type: 'ctrp',
    shape: 'NCI-?((?:19|20)\\d\\d)-?(\\d{5})',
    value: (groups) => `NCI-${dashed(groups)}`,
    why: 'NCI-2014-01313',
  },
  { type: 'snctp', shape: `SNCTP${SEP}(\\d{9})`, value: plain('SNCTP'), why: 'SNCTP000001674' },
  {
    type: 'slctr',
    shape: 'SLCTR ?/ ?(20\\d\\d) ?/ ?(\\d{3})',
    value: (groups) => `SLCTR/${groups.join('/')}`,
    why: 'SLCTR/2015/019',
  },
  { type: 'tctr', shape: `TCTR${SEP}(20\\d{9})`, value: plain('TCTR'), why: 'TCTR20150101001' },
  {
    type: 'rebec',
    shape: 'RBR ?- ?(\\d[0-9A-Z]{5,7})',
    value: ([code = '']) => `RBR-${code.toLowerCase()}`,
    why: 'RBR-2n6vpx',
  },
  { type: 'rpcec', shape: `RPCEC${SEP}(0{5}\\d{3})`, value: plain('RPCEC'), why: 'RPCEC00000123' },
  { type: 'lbctr', shape: `LBCTR${SEP}(20\\d{8})`, value: plain('LBCTR'), why: 'LBCTR2019010186' },
  { type: 'itmctr', shape: `ITMCTR${SEP}([12]\\d{9})`, value: plain('ITMCTR'), why: 'ITMCTR2024000123' },
  { type: 'japic', shape: `JAPIC-?CTI${SEP}(\\d{6})`, value: plain('JapicCTI-'), why: 'JapicCTI-142660' },
  { type: 'jma', shape: `JMA-?(IIA\\d{5})`, value: plain('JMA-'), why: 'JMA-IIA00123' },
  {
    type: 'iras',
    shape: 'IRAS(?: PROJECT)?(?: ?(?:ID|NO|NUMBER|REF(?:ERENCE)?))?[ .:#-]{0,3}([1-9]\\d{4,6})',
    value: plain(''),
    why: 'IRAS ID 223780; a bare number only in its own field',
  },
  {
    type: 'cpms',
    shape: 'CPMS(?: ?(?:ID|NO|NUMBER|REF(?:ERENCE)?))?[ .:#-]{0,3}([1-9]\\d{3,5})',
    value: plain(''),
    why: 'CPMS: 57449',
  },
];

/** Short shapes that are also parts of many other codes; recognised only as the whole string. */
const WHOLE_PATTERNS: readonly IdentifierPattern[] = [
  { type: 'ntr', shape: 'NTR ?-?([1-9]\\d{1,3})', value: plain('NTR'), why: 'NTR1234' },
  { type: 'ntr', shape: 'NL ?-?OMON ?-?(\\d{5})', value: plain('NL-OMON'), why: 'NL-OMON12345' },
];

/** A match has no letter or digit next to it, so no id is cut out of a longer token. */
const compile = (pattern: IdentifierPattern): [IdentifierPattern, RegExp] => [
  pattern,
  new RegExp(`(?<![\\p{L}\\p{N}])${pattern.shape}(?![\\p{L}\\p{N}])`, 'gu'),
];
const SEARCHED = PATTERNS.map(compile);
const WHOLE = [...PATTERNS, ...WHOLE_PATTERNS].map((pattern): [IdentifierPattern, RegExp] => [
  pattern,
  new RegExp(`^${pattern.shape}$`, 'u'),
]);

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

function identifierOf(pattern: IdentifierPattern, match: RegExpMatchArray): RecognisedIdentifier | null {
  const value = normalisedValue(pattern, match);
  if (isPlaceholder(value)) return null;
  return { type: pattern.type, value, suspect: pattern.isSuspect?.(value) ?? false };
}

function normalisedValue(pattern: IdentifierPattern, match: RegExpMatchArray): string {
  return pattern.value(match.slice(1).filter((group) => group !== undefined));
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
  const found: { at: number; identifier: RecognisedIdentifier }[] = [];
  for (const [pattern, expression] of SEARCHED) {
    for (const match of text.matchAll(expression)) {
      const identifier = identifierOf(pattern, match);
      if (identifier !== null) found.push({ at: match.index, identifier });
    }
  }
  if (found.length === 0) {
    const whole = readWhole(text, WHOLE);
    return whole === null ? [] : [whole];
  }
  found.sort((a, b) => a.at - b.at);
  const distinct = new Map(found.map(({ identifier }) => [`${identifier.type} ${identifier.value}`, identifier]));
  return [...distinct.values()];
}

function readWhole(text: string, patterns: readonly [IdentifierPattern, RegExp][]): RecognisedIdentifier | null {
  for (const [pattern, expression] of patterns) {
    const match = expression.exec(text);
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
  return readWhole(text, WHOLE) ?? readWhole(joined, WHOLE);
}

/** A user's string, and the same without blanks. */
function spellingsOf(raw: string): [string, string] {
  const text = upperCaseId(raw).replace(OUTER_PUNCTUATION, '').replace(ADDRESS, '');
  return [text, text.replace(/[ \t]+/g, '')];
}

/** The placeholder in a user's string, which `parseIdentifier` does not read: it has the form of a number, as NCT12345678. */
export function parsePlaceholder(raw: string): Pick<RecognisedIdentifier, 'type' | 'value'> | null {
  for (const text of spellingsOf(raw)) {
    for (const [pattern, expression] of WHOLE) {
      const match = expression.exec(text);
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
  return groups === undefined ? null : { type: 'eudract', value: dashed(groups), suspect: true };
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
