import { NCT_CHECKED_FROM, PLACEHOLDER_IDS, PREFIX_LABEL, passesNctCheck, upperCaseId } from './identifiers.ts';

/**
 * Reads NCT and ISRCTN numbers with a slip of the pen: a prefix with a letter lost or two swapped, blanks or letters O inside
 * the number, a lost leading zero. Only where the registry's own check leaves one reading; all else stays unread.
 */

export interface RepairedIdentifier {
  type: 'nct' | 'isrctn';
  value: string;
}

const TYPE_OF_PREFIX: Record<string, RepairedIdentifier['type']> = {
  NCT: 'nct',
  NTC: 'nct',
  ISRCTN: 'isrctn',
  ISCRTN: 'isrctn',
  SIRCTN: 'isrctn',
  IRSCTN: 'isrctn',
  ISRTCN: 'isrctn',
  ISRCNT: 'isrctn',
  SRCTN: 'isrctn',
};
/** Prefixes that are read without a repair, as identifiers.ts does; ISCRTN is too common a slip to be checked. */
const READ_AS_IT_STANDS = ['NCT', 'ISRCTN', 'ISCRTN'];
const PREFIX: Record<RepairedIdentifier['type'], string> = { nct: 'NCT', isrctn: 'ISRCTN' };
const DIGITS = 8;

/** A prefix and a run of digits, letters O and blanks. Other separators make local codes (NCT-2007-11-02-1004). */
const NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}])(${Object.keys(TYPE_OF_PREFIX).join('|')})${PREFIX_LABEL}([\\dO](?:[\\dO \\t]*[\\dO])?)(?![\\p{L}\\p{N}])`,
  'gu',
);

/** Every number of today begins with 0, which makes a wrong reading that passes the check by chance rarer. */
function passesNct(digits: string): boolean {
  return digits.startsWith('0') && Number(digits) >= NCT_CHECKED_FROM && passesNctCheck(digits);
}

/** Numbers given before about 2014 pass; later ones are random, and one with a slip stays unread. */
function passesIsrctn(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
  return sum % 10 === 9;
}

/** The numbers that the text of a typed id field states with a slip, each once. Never call it on running text. */
export function repairIdentifiers(raw: string): RepairedIdentifier[] {
  const repaired = new Map<string, RepairedIdentifier>();
  for (const [, prefix = '', run = ''] of upperCaseId(raw).matchAll(NUMBER)) {
    const type = TYPE_OF_PREFIX[prefix]!;
    const [only, ...others] = readingsOf(type, run);
    const value = `${PREFIX[type]}${only}`;
    const asItStands = READ_AS_IT_STANDS.includes(prefix) && new RegExp(`^\\d{${DIGITS}}(?!\\S)`).test(run);
    if (only === undefined || others.length > 0 || asItStands || PLACEHOLDER_IDS.has(value)) continue;
    repaired.set(value, { type, value });
  }
  return [...repaired.values()];
}

/** The numbers that the run can mean and that pass the check; words after the number may be digits too. */
function readingsOf(type: RepairedIdentifier['type'], run: string): string[] {
  const passes = type === 'nct' ? passesNct : passesIsrctn;
  const groups = run.replaceAll('O', '0').split(/[ \t]+/);
  const beginnings = groups.map((_, index) => groups.slice(0, index + 1).join(''));
  const numbers = beginnings.filter(({ length }) => length === DIGITS || length === DIGITS - 1);
  return numbers.map((digits) => digits.padStart(DIGITS, '0')).filter(passes);
}
