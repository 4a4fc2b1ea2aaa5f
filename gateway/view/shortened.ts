import { cutText } from './cut-text.ts';
import { isObject, isStated, type JsonObject } from './json.ts';

/** The short form of whatever has no form of its own. */

/** Texts of a single object, whose reader asked for it alone, and of each of many. */
const TEXT_MAX_CHARACTERS = 1_500;
const LISTED_TEXT_MAX_CHARACTERS = 300;

/** Proofs of content: no reader judges by them, and the full answer has them. */
export const FINGERPRINTS: ReadonlySet<string> = new Set(['claimHash', 'messageHash', 'prevHash', 'hash', 'checksum']);
/** What is used as it is: a cut one would be another. */
const NEVER_CUT = /(^|[a-z])(Id|id|call|url|Url|href|path|code|command|token|Token|key|cursor|secret|next|since)$/;

/**
 * Leaves out members that are null or empty, and hashes; cuts long texts. At the top an empty list stays, since it says
 * that there is none, and beside an unanswered state null stays, since it says that nobody knows.
 */
export function shortened(object: JsonObject): JsonObject {
  const short = (name: string, value: unknown, most: number): unknown => {
    if (typeof value === 'string') return NEVER_CUT.test(name) ? value : cutText(value, most);
    if (Array.isArray(value)) {
      const each = value.some(isObject) ? LISTED_TEXT_MAX_CHARACTERS : most;
      return value.map((item) => short(name, item, each));
    }
    if (!isObject(value)) return value;
    const unknown = value.state === 'unanswered';
    return members(value, (member) => (unknown && member === null) || isStated(member), most);
  };
  const members = (from: JsonObject, isKept: (member: unknown) => boolean, most: number): JsonObject =>
    Object.fromEntries(
      Object.entries(from)
        .filter(([name, member]) => !FINGERPRINTS.has(name) && isKept(member))
        .map(([name, member]) => [name, short(name, member, most)]),
    );
  return members(object, (member) => member !== undefined && member !== null, TEXT_MAX_CHARACTERS);
}
