import type { Fail } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import type { NoPart } from '../store/json-part.ts';
import type { RawPayload } from '../store/keyed-store.ts';

export interface AskedParts {
  /** The parts that the pointer names, each with its pointer. */
  payloads: (RawPayload & { path: string })[];
  /** Why a registration has none. */
  notices: string[];
}

/** The parts of payloads that a JSON pointer names. One that names nothing in any of them is refused with what is there. */
export function askedParts(read: readonly RawPayload[], path: string, fail: Fail<'INVALID_PARAM'>): AskedParts {
  const payloads = read.flatMap(({ noPart, json, ...payload }) =>
    noPart === undefined ? [{ ...payload, path, json }] : [],
  );
  const faults = read.flatMap(({ registration, format, noPart }) =>
    noPart === undefined ? [] : [{ registration, fault: wordsOf(noPart, registration, format) }],
  );
  if (payloads.length > 0)
    return { payloads, notices: faults.map(({ fault }) => `rawPath=${path} names nothing more: ${fault}.`) };
  const words = faults.map(({ fault }) => fault).join('; ');
  return refuseParameter('rawPath', `a JSON pointer to a part that a payload has: ${words}`, fail);
}

function wordsOf(noPart: NoPart | 'not-json', registration: string, format: RawPayload['format']): string {
  if (noPart === 'not-json')
    return `the payload of ${registration} is ${format.toUpperCase()}, into which no JSON pointer leads; includeRaw=true without rawPath gives it whole`;
  const { reached, holds } = noPart;
  const where = reached === '' ? `the payload of ${registration}` : `${reached} of ${registration}`;
  if (holds === null) return `${where} is a single value without parts`;
  if ('items' in holds)
    return `${where} is a list of ${holds.items}, ${holds.items === 0 ? 'which is empty' : `numbered from 0 to ${holds.items - 1}`}`;
  const { names, of } = holds;
  if (of === 0) return `${where} is an object without members`;
  return `${where} has ${names.join(', ')}${of > names.length ? ` and ${of - names.length} more` : ''}`;
}
