import { isWrite, type Operation } from '../../contract/operation.ts';
import { takesView } from '../../contract/view.ts';
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
  if (fields !== null) {
    const _meta = detail === 'concise' ? shortMeta(envelope._meta, asked) : envelope._meta;
    return { data: picked(envelope.data, fields), _meta };
  }
  if (detail === 'full' || operation.envelope === false) return envelope;
  const _meta = shortMeta(envelope._meta, asked);
  if (isWrite(operation)) return { data: acknowledgement(envelope.data), _meta };
  if (operation.computes) {
    const { value, rounded } = roundedNumbers(envelope.data);
    return { data: value, _meta: rounded ? { ..._meta, more: ALL_DIGITS } : _meta };
  }
  if (!takesView(operation)) return { data: envelope.data, _meta };
  const { data, leftOut, less } = conciseData(operation.id, envelope.data);
  return { data, _meta: { ..._meta, ...moreOf(leftOut, less) } };
}

/** How the reader gets what was left out, where anything was. */
function moreOf(leftOut: readonly string[], less: boolean): JsonObject {
  if (leftOut.length > 0) return { more: `detail=full or fields=${leftOut.join(',')}` };
  return less ? { more: 'detail=full, fields=...' } : {};
}
