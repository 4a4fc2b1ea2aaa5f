/**
 * Texts of JSON that are no Unicode: half of a surrogate pair, which JSON can only write as an escape. RFC 7493 forbids
 * it, and strict readers refuse a whole document that has one.
 */

/** What may be the escape of half a pair; whole pairs may be escaped too, so that the parsed texts decide. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
/** An escaped backslash, which begins no escape, or a half as JSON.stringify writes it; it writes whole pairs bare. */
const WRITTEN_HALF = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;
const REPLACEMENT = '\\ufffd';
/** Paths that a refusal names; a body may have thousands, of any length. */
const PATHS_MAX = 20;
const PATH_MAX_CHARACTERS = 200;

export const WELL_FORMED =
  'expected well-formed Unicode, and it holds half of a surrogate pair (\\ud800 to \\udfff alone)';

/** The first paths of texts and names in a parsed JSON document that are not well-formed; `text` is the document. */
export function illFormedPaths(text: string, value: unknown): string[] {
  if (!SURROGATE_ESCAPE.test(text)) return [];
  return [...illFormedIn(value).take(PATHS_MAX)].map((path) => path.slice(0, PATH_MAX_CHARACTERS).toWellFormed());
}

/** Goes level by level, so that no depth can exhaust the stack. */
function* illFormedIn(document: unknown): Generator<string> {
  let level: { path: string; value: unknown }[] = [{ path: '', value: document }];
  while (level.length > 0) {
    const below: typeof level = [];
    for (const { path, value } of level) {
      if (typeof value === 'string' && !value.isWellFormed()) yield path || 'body';
      if (value === null || typeof value !== 'object') continue;
      for (const [name, inner] of Object.entries(value)) {
        const place = `${path === '' ? '' : `${path}.`}${name.toWellFormed()}`;
        if (!name.isWellFormed()) yield place;
        below.push({ path: place, value: inner });
      }
    }
    level = below;
  }
}

/** JSON as JSON.stringify writes it, with U+FFFD for each half of a surrogate pair. */
export function wellFormedJson(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(WRITTEN_HALF, (found) => (found === '\\\\' ? found : REPLACEMENT));
}
