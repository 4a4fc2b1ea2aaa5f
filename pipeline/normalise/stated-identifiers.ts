import type { RegistryId } from '../../contract/ids.ts';
import {
  numericIdentifier,
  type RecognisedIdentifier,
  recogniseIdentifiers,
} from '../../snapshot-format/identifiers.ts';
import type { IdentifierRole, StatedIdentifier } from '../../snapshot-format/registration.ts';

const OWN_TYPES = { clinicaltrials_gov: 'nct', isrctn: 'isrctn' } as const;

/**
 * Collects the identifiers in a record's typed id fields. The first field that states an identifier counts, so the
 * order of calls matters; the record's own id is added first and never declared again.
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
    // A dummy number (NCT12345678) is not recognised, but a record under one must be found by it.
    const suspect = recognised?.value === registrationId ? recognised.suspect : true;
    this.#addAll('own', ownField, ownRaw, [{ type, value: registrationId, suspect }]);
  }

  /** Adds every identifier that is recognised in the field's text. */
  add(role: IdentifierRole, field: string, raw: string | null): void {
    if (raw !== null) this.#addAll(role, field, raw, recogniseIdentifiers(raw));
  }

  /** Adds a bare number from a field whose type names its kind; any other text is read by pattern. */
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
