/** A value of a table's column as text for people: dates as dates, lists with their items, what has more parts as JSON. */
export function plainValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(' | ');
  if (typeof value === 'object' && 'date' in value && 'precision' in value) return String(value.date);
  return JSON.stringify(value);
}
