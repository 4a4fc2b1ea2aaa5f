/** Names that other services give to a parameter. */
export const CALLED: Readonly<Record<string, string>> = {
  query: 'q',
  search: 'q',
  term: 'q',
  text: 'q',
  keyword: 'q',
  keywords: 'q',
  title: 'q',
  disease: 'condition',
  cond: 'condition',
  indication: 'condition',
  drug: 'intervention',
  intr: 'intervention',
  treatment: 'intervention',
  location: 'country',
  gender: 'sex',
  type: 'studyType',
  limit: 'pageSize',
  size: 'pageSize',
  count: 'pageSize',
  order: 'sort',
};
const NEAREST_SHOWN_ITEMS = 5;
/** Characters of a sent name that are compared; every name is shorter, and the comparison costs their product. */
const COMPARED_MAX_CHARACTERS = 80;
/** Names that the refusal of a value adds to what was expected. */
const NEAR_IN_REFUSAL = 3;

/** The names spelled most like the given one, at most as unlike as `most`, nearest first; ties stay in the given order. */
export function nearestNames(given: string, names: readonly string[], most = 1): string[] {
  const wanted = letters(given.slice(0, COMPARED_MAX_CHARACTERS));
  return names
    .map((name) => ({ name, distance: unlikeness(wanted, letters(name)) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAREST_SHOWN_ITEMS)
    .map(({ name }) => name);
}

/**
 * What the refusal of a value adds to what was expected: the names that an everyday word can mean, else the known names nearest to
 * it in letters, at most as unlike as `most`.
 */
export function nearNote(
  given: string,
  names: readonly string[],
  { most = 1, meant = {} }: { most?: number; meant?: Readonly<Record<string, readonly string[]>> } = {},
): string {
  const word = given
    .slice(0, COMPARED_MAX_CHARACTERS)
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ');
  const named = Object.hasOwn(meant, word) ? (meant[word] ?? []) : [];
  if (named.length > 0) return `; ${word} can mean ${named.join(', ')}`;
  // Nothing is near to an empty text, or to one of commas alone.
  const near = letters(word) === '' ? [] : nearestNames(given, names, most);
  return near.length === 0 ? '' : `; nearest to the text that was sent: ${near.slice(0, NEAR_IN_REFUSAL).join(', ')}`;
}

/** Doors spell one name with different capitals, underscores and hyphens, so these are ignored. */
function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Edits between two names as a share of the longer one; half of that if one contains the other. */
function unlikeness(a: string, b: string): number {
  const share = edits(a, b) / Math.max(a.length, b.length, 1);
  return a.includes(b) || b.includes(a) ? share / 2 : share;
}

/** Levenshtein distance. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** The parameters that a name was meant for: the one that other services call so, else those spelled most like it. */
export function nearParameters(given: string, known: readonly string[], most = 1): string[] {
  const name = given.toLowerCase();
  const meant = Object.hasOwn(CALLED, name) ? CALLED[name] : undefined;
  return meant !== undefined && known.includes(meant)
    ? [meant]
    : nearestNames(given, known, most).slice(0, NEAR_IN_REFUSAL);
}
