import type { RegistryId } from '../../contract/ids.ts';
import type { payloadFormat } from '../../snapshot/format/payload-format.ts';
import type { Publication } from '../../snapshot/format/registration.ts';
import type { NoPart } from './json-part.ts';

export interface RegistrationKey {
  registry: RegistryId;
  id: string;
}

/** A registration of a snapshot with the payload that it was read from, as `sha256:` and its digest. */
export interface PayloadKey extends RegistrationKey {
  checksum: string;
}

export interface RawPayload {
  registration: string;
  checksum: string;
  format: ReturnType<typeof payloadFormat>;
  /** The payload as received, or the part of it that was asked for: a JSON string, in UTF-8. Empty where there is no such part. */
  json: Uint8Array;
  /** Why there is no such part. */
  noPart?: NoPart | 'not-json';
}

/** A publication as answers list it, by its registration and in the order of the record. */
export type DeclaredPublication = Omit<Publication, 'registrationId' | 'ordinal'> & { registration: string };
