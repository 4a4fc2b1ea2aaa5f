import { named } from './words.ts';

/** Members that say how the registry writes a value, or where it keeps it. */
const NOT_SHOWN = ['classRaw', 'field', 'latitude', 'longitude', 'reference'];

/** Any value of a record in words: a list with a line for each item. Null where there is none. */
export function valueWords(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((item) => valueWords(item) ?? '').join('\n');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return value.toLocaleString('en-GB');
  if (typeof value === 'string') return value;
  return itemWords(value as Record<string, unknown>);
}

/** A date at its own precision, or the stated members of an item in their order, as "Placebo; drug". */
function itemWords(item: Record<string, unknown>): string {
  if ('precision' in item) return `${item.date}${item.type === 'estimated' ? ' (estimated)' : ''}`;
  const parts = Object.entries(item)
    .filter(([name, part]) => !NOT_SHOWN.includes(name) && part !== null && part !== 'unknown')
    .map(([name, part]) =>
      name === 'class' ? named(String(part)) : Array.isArray(part) ? part.join(', ') : String(part),
    )
    .filter((part) => part !== '');
  return [...new Set(parts)].join('; ');
}
