/** Longest address that browsers, proxies and servers accept, with a margin. */
export const ADDRESS_MAX_CHARACTERS = 8_000;

/** The parameters of these names that have a value. */
export function givenOf<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const given = names.map((name) => [name, query.get(name) ?? ''] as const).filter(([, value]) => value !== '');
  return Object.fromEntries(given) as Partial<Record<Name, string>>;
}

/** The address with some parameters changed; an empty value removes one. */
export function addressWith(path: string, query: URLSearchParams, changes: Record<string, string>): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') changed.delete(name);
    else changed.set(name, value);
  }
  return changed.size === 0 ? path : `${path}?${changed}`;
}
