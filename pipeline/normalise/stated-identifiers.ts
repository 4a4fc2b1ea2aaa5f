import type { RegistryId } from '../../contract/ids.ts';
import {
  numericIdentifier,
  oddEudract,
  parseIdentifier,
  type RecognisedIdentifier,
  recogniseIdentifiers,
} from '../../snapshot/format/identifiers.ts';
import type { IdentifierRole, StatedIdentifier } from '../../snapshot/format/registration.ts';
import { repairIdentifiers } from '../../snapshot/format/repaired-identifiers.ts';
import { isFiller } from './not-stated.ts';

const OWN_TYPES = { clinicaltrials_gov: 'nct', isrctn: 'isrctn' } as const;

/** What a form says of a number that belongs to another study: one that this one is part of, goes on from or stands beside. */
const OTHER_STUDY = new RegExp(
  [
    'parent|ancillary|companion|feeder|extensions?',
    'sub[- ]?(?:stud(?:y|ies)|trials?|projects?)',
    '(?:main|original|core|pilot|sister|roll[- ]?over|lead[- ]?in|follow[- ]?up) (?:stud(?:y|ies)|trials?|projects?)',
    '(?:pilot|follow[- ]?up) (?:of|to)',
    'roll[- ]?over (?:from|of|to)',
  ]
    .map((words) => `\\b(?:${words})\\b`)
    .join('|')
    // Any dash.
    .replaceAll('-', '-\u2010-\u2015'),
  'i',
);
/** Between the numbers of one text, so that a word about one of them is not taken for all. */
const BETWEEN_NUMBERS = /[,;\n]|\band\b/i;

/** Where two fields state one number: that it is another study's outweighs a field that only holds it. */
const OUTWEIGHS: Record<IdentifierRole, number> = { own: 4, alias: 3, related: 2, declared: 1, repaired: 0 };

/** The longest protocol code; longer texts are descriptions. */
const CODE_MAX_CHARACTERS = 40;
const CODE_MAX_WORDS = 3;

/**
 * Collects the identifiers in a record's typed id fields. The first field that states an identifier counts, so the
 * order of calls matters; the record's own id is added first and never declared again.
 */
export class StatedIdentifiers {
  readonly list: StatedIdentifier[] = [];
  /** Protocol codes: texts of fields for a sponsor's code in which no identifier is recognised. They never link records. */
  readonly sponsorCodes: string[] = [];
  readonly #registry: RegistryId;
  readonly #registrationId: string;
  readonly #stated = new Map<string, StatedIdentifier>();

  constructor(registry: RegistryId, registrationId: string, ownField: string, ownRaw: string) {
    this.#registry = registry;
    this.#registrationId = registrationId;
    const type = OWN_TYPES[registry];
    // A dummy number (NCT12345678) is not recognised, but a record under one must be found by it.
    const suspect = parseIdentifier(registrationId)?.suspect ?? true;
    this.#addAll('own', ownField, ownRaw, [{ type, value: registrationId, suspect }]);
  }

  /** Adds every superseded id of this record that is recognised in the field's text. */
  addAlias(field: string, raw: string): void {
    this.#addAll('alias', field, raw, recogniseIdentifiers(raw));
  }

  /**
   * Adds every identifier that is recognised in the field's text, and returns whether there is one. `kind` is what the form
   * says of the number beside it: where it or the text says that the number is another study's, the identifier relates
   * the two and never merges them.
   */
  add(field: string, raw: string | null, ...kind: (string | null)[]): boolean {
    if (raw === null) return false;
    const recognised = recogniseIdentifiers(raw);
    const known = new Set(recognised.map(({ value }) => value));
    const repaired = repairIdentifiers(raw)
      .filter(({ value }) => !known.has(value))
      .map((identifier): RecognisedIdentifier => ({ ...identifier, suspect: false }));
    const found = [...recognised, ...repaired];
    const ofAnother = kind.some((text) => text !== null && OTHER_STUDY.test(text))
      ? found.map(({ value }) => value)
      : valuesOfAnother(raw, found);
    for (const identifier of found) {
      const role = repaired.includes(identifier) ? 'repaired' : 'declared';
      this.#addAll(ofAnother.includes(identifier.value) ? 'related' : role, field, raw, [identifier]);
    }
    return found.length > 0;
  }

  /** Adds what a field for EudraCT numbers holds, also a number whose check part is odd. */
  addEudract(field: string, raw: string | null, ...kind: (string | null)[]): void {
    if (raw === null || this.add(field, raw, ...kind)) return;
    const odd = oddEudract(raw);
    if (odd !== null) this.#addAll('declared', field, raw, [odd]);
  }

  /** Adds a bare number from a field whose type names its kind; any other text is read by pattern. */
  addNumeric(type: 'iras' | 'cpms', field: string, raw: string | null, ...kind: (string | null)[]): void {
    if (raw === null) return;
    const numeric = numericIdentifier(type, raw);
    if (numeric === null) this.add(field, raw, ...kind);
    else this.#addAll('declared', field, raw, [numeric]);
  }

  /** Adds what a field for a sponsor's code holds: identifiers, else the code itself. */
  addCode(field: string, raw: string | null, ...kind: (string | null)[]): void {
    if (this.add(field, raw, ...kind) || raw === null || !isCode(raw)) return;
    const code = raw.trim();
    if (!this.sponsorCodes.includes(code)) this.sponsorCodes.push(code);
  }

  #addAll(role: IdentifierRole, field: string, rawValue: string, found: RecognisedIdentifier[]): void {
    for (const { type, value, suspect } of found) {
      const key = `${type}:${value}`;
      const known = this.#stated.get(key);
      if (known !== undefined) {
        if (OUTWEIGHS[role] > OUTWEIGHS[known.role]) Object.assign(known, { role, field, rawValue });
        continue;
      }
      const stated: StatedIdentifier = {
        registry: this.#registry,
        registrationId: this.#registrationId,
        type,
        value,
        role,
        field,
        rawValue,
        suspect,
      };
      this.#stated.set(key, stated);
      this.list.push(stated);
    }
  }
}

/** The values of a text that it says are another study's: the only one, else those in a part that says so. */
function valuesOfAnother(raw: string, found: readonly RecognisedIdentifier[]): string[] {
  if (!OTHER_STUDY.test(raw)) return [];
  const parts = found.length === 1 ? [raw] : raw.split(BETWEEN_NUMBERS).filter((part) => OTHER_STUDY.test(part));
  return parts.flatMap((part) => [...recogniseIdentifiers(part), ...repairIdentifiers(part)]).map(({ value }) => value);
}

/** A short text with a digit. Words and dates of committees are no code. */
function isCode(raw: string): boolean {
  const text = raw.trim();
  return (
    text.length >= 2 &&
    text.length <= CODE_MAX_CHARACTERS &&
    /\d/.test(text) &&
    text.split(/\s+/).length <= CODE_MAX_WORDS &&
    !isFiller(text)
  );
}
