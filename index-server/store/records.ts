import type { RegistryId } from '../../contract/ids.ts';
import type { payloadFormat } from '../../snapshot-format/payload-format.ts';

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
  /** UTF-8, as received. */
  payload: Buffer;
}

export interface DeclaredPublication {
  registration: string;
  registry: RegistryId;
  kind: 'results' | 'background' | 'derived' | 'protocol' | 'other';
  kindRaw: string | null;
  pmid: string | null;
  doi: string | null;
  url: string | null;
  citation: string | null;
  year: number | null;
  retracted: boolean;
}
