import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isObject, objectsOf, textOf } from '../view/json.ts';

const MARK = `"code":${ProtocolErrorCode.InternalError}`;
const SHOWN = 3;

/**
 * The package answers params of a wrong type as a fault of the server, with the issues of its schema as the message. They are
 * the caller's: the answer then has the code for invalid params, and says which one is wrong.
 */
export function withShapeFault(text: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  if (!text.includes(MARK)) return text;
  const answer: unknown = parsed(text.toString('utf8'));
  if (!isObject(answer) || !isObject(answer.error)) return text;
  const issues = objectsOf(parsed(textOf(answer.error.message) ?? ''));
  if (issues.length === 0) return text;
  const faults = issues
    .slice(0, SHOWN)
    .map(({ path, message }) => `${Array.isArray(path) ? path.join('.') : ''}: ${message}`);
  const message = `The params are not usable: ${faults.join('; ')}.`;
  return Buffer.from(JSON.stringify({ ...answer, error: { code: ProtocolErrorCode.InvalidParams, message } }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
