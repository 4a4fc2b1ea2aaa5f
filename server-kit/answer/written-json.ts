/** JSON texts of values that never change. */
const texts = new WeakMap<object, string>();

/** Writes the JSON of a value once, for every answer that shows it. Nobody may change the value after that. */
export function writtenOnce<Value extends object>(value: Value): Value {
  texts.set(value, JSON.stringify(value));
  return value;
}

/** The JSON of an object as JSON.stringify writes it; members written before are copied. */
export function jsonOf(object: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const name of Object.keys(object)) {
    const value = object[name];
    const known = typeof value === 'object' && value !== null ? texts.get(value) : undefined;
    const json = known ?? JSON.stringify(value);
    if (json !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${json}`;
  }
  return `{${text}}`;
}
