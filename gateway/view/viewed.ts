import { isWrite, type Operation } from '../../contract/operation.ts';
import type { Envelope } from '../envelope.ts';
import { acknowledgement } from './acknowledgement.ts';
import type { View } from './asked-view.ts';
import { conciseData } from './by-kind.ts';
import type { JsonObject } from './json.ts';
import { picked } from './picked.ts';
import { roundedNumbers, SIGNIFICANT_DIGITS } from './rounded.ts';
import { shortMeta } from './short-meta.ts';

const ALL_DIGITS = `numbers have ${SIGNIFICANT_DIGITS} significant digits here; detail=full has every digit`;

/** An answer as its caller wants it. Pure: the envelope that is given stays as it is. */
export function viewed(operation: Operation, envelope: Envelope, { detail, fields, asked }: View): Envelope {
  const isConcise = detail === 'concise';
  if (fields !== null) {
    const _meta = isConcise ? shortMeta(envelope._meta, asked) : envelope._meta;
    const data = picked(envelope.data, fields);
    return operation.computes && isConcise ? rounded(data, _meta) : { data, _meta };
  }
  if (!isConcise || operation.envelope === false) return envelope;
  const _meta = shortMeta(envelope._meta, asked);
  if (isWrite(operation)) return { data: acknowledgement(envelope.data), _meta };
  const { data, leftOut } = conciseData(operation.id, envelope.data);
  const more = leftOut.length === 0 ? {} : { more: `detail=full, fields=${leftOut.join(',')}` };
  return operation.computes ? rounded(data, { ..._meta, ...more }) : { data, _meta: { ..._meta, ...more } };
}

/** Computed numbers with as many digits as a reader can use. */
function rounded(data: unknown, { more, ..._meta }: JsonObject): Envelope {
  const { value, rounded: isRounded } = roundedNumbers(data);
  const said = [more, ...(isRounded ? [ALL_DIGITS] : [])].filter((part) => part !== undefined);
  return { data: value, _meta: said.length === 0 ? _meta : { ..._meta, more: said.join('; ') } };
}
