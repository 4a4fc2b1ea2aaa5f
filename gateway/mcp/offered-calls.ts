import { printedCall } from '../door-words/printed-call.ts';
import type { Invoked } from '../invoke.ts';
import { isObject, type JsonObject, objectsOf } from '../view/json.ts';
import type { Toolbox } from './toolbox.ts';

/** An answer without the next calls that its address refuses: writes where it only reads, and what the client left out. */
export function withOfferedCalls(invoked: Invoked, toolbox: Toolbox): Invoked {
  if (!invoked.ok || (!toolbox.offer.readonly && toolbox.offer.excluded.length === 0)) return invoked;
  const { data, _meta } = invoked.envelope;
  const envelope = { data: isObject(data) ? offeredIn(data, toolbox) : data, _meta: offeredIn(_meta, toolbox) };
  return { ...invoked, envelope };
}

function offeredIn(part: JsonObject, toolbox: Toolbox): JsonObject {
  if (!Array.isArray(part.nextCalls)) return part;
  const nextCalls = objectsOf(part.nextCalls).filter(({ call }) => {
    const operation = printedCall(String(call))?.operation;
    return operation === undefined || toolbox.operationOf(operation.id) !== undefined;
  });
  return { ...part, nextCalls };
}
