import { withoutEntities } from './prose.ts';
import { RecordFault } from './record.ts';

/** A field whose type is not the one that the registry documents. */
export interface FieldFault {
  /** Path without list positions, e.g. `protocolSection.designModule.phases[]`. */
  path: string;
  expected: string;
  found: string;
}

/** An object of a parsed record with its path; `value` is null when the record lacks the object. */
export interface Fields {
  readonly value: Record<string, unknown> | null;
  readonly path: string;
  readonly faults: FieldFault[];
}

/** Name under which the XML reader keeps the text of an element that has attributes. */
export const XML_TEXT = '#text';
/** Prefix under which the XML reader keeps attributes. */
export const XML_ATTRIBUTE = '@';

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function childPath(fields: Fields, key: string): string {
  return fields.path === '' ? key : `${fields.path}.${key}`;
}

/** Notes each fault of a record once: several fields are read from some objects. */
function fault(fields: Fields, path: string, expected: string, value: unknown): null {
  const found = typeName(value);
  const isKnown = fields.faults.some((one) => one.path === path && one.expected === expected && one.found === found);
  if (!isKnown) fields.faults.push({ path, expected, found });
  return null;
}

/** The value below `key`; null and undefined both mean absent. Inherited keys are ignored. */
function child(fields: Fields, key: string): unknown {
  if (fields.value === null || !Object.hasOwn(fields.value, key)) return null;
  return fields.value[key] ?? null;
}

/** The root of a parsed record. Throws `not-an-object`. */
export function rootFields(value: unknown): Fields {
  if (!isObject(value)) throw new RecordFault('not-an-object', `the record is a ${typeName(value)}, not an object`);
  return { value, path: '', faults: [] };
}

/** The object below `key`. An XML element without children arrives as blank text and means an empty object. */
export function objectAt(fields: Fields, key: string): Fields {
  const path = childPath(fields, key);
  const value = child(fields, key);
  if (isBlank(value)) return { value: null, path, faults: fields.faults };
  if (!isObject(value)) fault(fields, path, 'object', value);
  return { value: isObject(value) ? value : null, path, faults: fields.faults };
}

/** The object below `key`, or an empty one: an element without attributes arrives as plain text. */
export function objectOrEmpty(fields: Fields, key: string): Fields {
  return typeof fields.value?.[key] === 'object' ? objectAt(fields, key) : { ...fields, value: null };
}

/** Follows several keys downwards. */
export function objectBelow(fields: Fields, ...keys: string[]): Fields {
  return keys.reduce(objectAt, fields);
}

/** Text without entities, trimmed; null when it is blank. For an XML element with attributes: the text that it holds. */
function textOf(fields: Fields, path: string, value: unknown): string | null {
  const plain = isObject(value) && isXmlLeaf(value) ? (value[XML_TEXT] ?? '') : value;
  if (typeof plain !== 'string') return fault(fields, path, 'text', value);
  const trimmed = withoutEntities(plain).trim();
  return trimmed === '' ? null : trimmed;
}

function isXmlLeaf(value: Record<string, unknown>): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key === XML_TEXT || key.startsWith(XML_ATTRIBUTE));
}

/** The trimmed text below `key`; null when it is absent, blank or of another type. */
export function textAt(fields: Fields, key: string): string | null {
  const value = child(fields, key);
  return value === null ? null : textOf(fields, childPath(fields, key), value);
}

/** The text below `key` with its line breaks and blanks; null when it is blank. */
export function proseAt(fields: Fields, key: string): string | null {
  const value = child(fields, key);
  if (typeof value !== 'string') return textAt(fields, key);
  const text = withoutEntities(value);
  return text.trim() === '' ? null : text;
}

/** Like `textAt` for a field that a record needs: another type throws `bad-field` with its path. */
export function essentialTextAt(fields: Fields, key: string, id: string | null = null): string | null {
  const before = fields.faults.length;
  const text = textAt(fields, key);
  throwFaultSince(fields, before, id);
  return text;
}

/** Like `objectBelow` for the objects around an essential field. */
export function essentialObjectBelow(fields: Fields, ...keys: string[]): Fields {
  const before = fields.faults.length;
  const found = objectBelow(fields, ...keys);
  throwFaultSince(fields, before, null);
  return found;
}

function throwFaultSince(fields: Fields, before: number, id: string | null): void {
  const found = fields.faults[before];
  if (found) throw new RecordFault('bad-field', `${found.path}: expected ${found.expected}, found ${found.found}`, id);
}

/** A digit string or number as the registry wrote it, for `readCount`; null when absent. */
export function numberTextAt(fields: Fields, key: string): string | null {
  const value = child(fields, key);
  if (typeof value === 'number') return String(value);
  return value === null ? null : textOf(fields, childPath(fields, key), value);
}

export function numberAt(fields: Fields, key: string): number | null {
  const value = child(fields, key);
  if (value === null || typeof value === 'number') return value;
  return fault(fields, childPath(fields, key), 'number', value);
}

export function flagAt(fields: Fields, key: string): boolean | null {
  const value = child(fields, key);
  if (value === null || typeof value === 'boolean') return value;
  return fault(fields, childPath(fields, key), 'boolean', value);
}

/** True when the key has a value other than null. */
export function hasKey(fields: Fields, key: string): boolean {
  return child(fields, key) !== null;
}

function listAt(fields: Fields, key: string): unknown[] {
  const value = child(fields, key);
  if (isBlank(value)) return [];
  if (Array.isArray(value)) return value;
  fault(fields, childPath(fields, key), 'list', value);
  return [];
}

/** The objects of a list; members of another type are left out and reported as faults. */
export function objectsAt(fields: Fields, key: string): Fields[] {
  const path = `${childPath(fields, key)}[]`;
  const found: Fields[] = [];
  for (const value of listAt(fields, key)) {
    if (isObject(value)) found.push({ value, path, faults: fields.faults });
    else if (!isBlank(value)) fault(fields, path, 'object', value);
  }
  return found;
}

/** The non-blank texts of a list, trimmed; members of another type are left out and reported as faults. */
export function textsAt(fields: Fields, key: string): string[] {
  const path = `${childPath(fields, key)}[]`;
  const found: string[] = [];
  for (const value of listAt(fields, key)) {
    const text = textOf(fields, path, value);
    if (text !== null) found.push(text);
  }
  return found;
}

/** The elements of an XML list. One without attributes and children arrives as text and becomes an object with it. */
export function elementsAt(fields: Fields, key: string): Fields[] {
  const members = listAt(fields, key).map((value) => (typeof value === 'string' ? { [XML_TEXT]: value } : value));
  return objectsAt({ ...fields, value: { [key]: members } }, key);
}
