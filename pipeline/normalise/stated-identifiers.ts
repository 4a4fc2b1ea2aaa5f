import type { RegistryId } from '../../contract/ids.ts';
import {
  numericIdentifier,
  type RecognisedIdentifier,
  recogniseIdentifiers,
} from '../../snapshot-format/identifiers.ts';
import type { IdentifierRole, StatedIdentifier } from '../../snapshot-format/registration.ts';

const OWN_TYPES = { clinicaltrials_gov: 'nct', isrctn: 'isrctn' } as const;

/**
 * Collects what a record's typed id fields state. The same identifier in a second field is dropped, so the order of
 * calls decides which field speaks; a record's own id, added first, is never declared again.
 */
export class StatedIdentifiers {
  readonly list: StatedIdentifier[] = [];
  readonly #registry: RegistryId;
  readonly #registrationId: string;
  readonly #seen = new Set<string>();

  constructor(registry: RegistryId, registrationId: string, ownField: string, ownRaw: string) {
    this.#registry = registry;
    this.#registrationId = registrationId;
    const type = OWN_TYPES[registry];
    const [recognised] = recogniseIdentifiers(registrationId);
    // A record under a dummy number (NCT12345678) is not recognised, yet it has to be found by its own id.
    const suspect = recognised?.value === registrationId ? recognised.suspect : true;
    this.#addAll('own', ownField, ownRaw, [{ type, value: registrationId, suspect }]);
  }

  /** Adds whatever identifiers the field's text shows by their pattern. */
  add(role: IdentifierRole, field: string, raw: string | null): void {
    if (raw !== null) this.#addAll(role, field, raw, recogniseIdentifiers(raw));
  }

  /** Adds a bare number from a field whose type says what the number is; other shapes are read by their pattern. */
  addNumeric(type: 'iras' | 'cpms', field: string, raw: string | null): void {
    if (raw === null) return;
    const numeric = numericIdentifier(type, raw);
    this.#addAll('declared', field, raw, numeric === null ? recogniseIdentifiers(raw) : [numeric]);
  }

  #addAll(role: IdentifierRole, field: string, rawValue: string, found: RecognisedIdentifier[]): void {
    for (const { type, value, suspect } of found) {
      const key = `${type}:${value}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.list.push({
        registry: this.#registry,
        registrationId: this.#registrationId,
        type,
        value,
        role,
        field,
        rawValue,
        suspect,
      });
    }
  }
}
