import { isObject, isStated, type JsonObject, objectOf, objectsOf, textsOf } from './json.ts';

/**
 * What a concise `_meta` says of how the words and filters were read, and what would find more, as sentences. Members in their
 * whole form, as with detail=full, are left to the outline.
 */
export function matchingLines(meta: JsonObject): { lines: string[]; told: string[] } {
  const lines = Object.entries(LINES).flatMap(([name, line]) => {
    const said = line(meta[name]);
    return said === null ? [] : [{ name, said }];
  });
  return { lines: lines.flatMap(({ said }) => said), told: lines.map(({ name }) => name) };
}

const LINES: Readonly<Record<string, (value: unknown) => string[] | null>> = {
  readAs: (value) => (isObject(value) ? [`Read as: ${pairsOf(value)}.`] : null),
  alsoMatching: (value) => {
    const { distinct, total, because } = objectOf(value);
    if (!isObject(value) || objectsOf(because).length > 0) return null;
    const words = textsOf(because).join('; ');
    const reading = words === '' ? '' : ` (${words})`;
    return Number(distinct) > 0
      ? [`With match=concepts: ${total} trials, ${distinct} of them new${reading}.`]
      : [`match=concepts finds no further trials${reading}.`];
  },
  hints: (value) => {
    const hints = textsOf(value);
    return hints.length === 0 ? null : hints;
  },
};

function pairsOf(values: JsonObject): string {
  return Object.entries(values)
    .filter(([, value]) => isStated(value))
    .map(([name, value]) => `${name}=${value}`)
    .join(' and ');
}
