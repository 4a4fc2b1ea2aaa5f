import type { RegistryId } from '../../contract/ids.ts';
import { isFiller, withoutFiller } from './not-stated.ts';
import { withoutContacts, withoutEntities, withoutEscapes } from './prose.ts';
import { type FieldFault, RecordFault } from './record.ts';
import { distinct } from './values.ts';

/** Name under which the XML reader keeps the text of an element that has attributes. */
export const XML_TEXT = '#text';
/** Prefix under which the XML reader keeps attributes. */
export const XML_ATTRIBUTE = '@';

type Members = Record<string, unknown>;

const NO_VALUES: readonly unknown[] = [];

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function isXmlLeaf(value: Members): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key === XML_TEXT || key.startsWith(XML_ATTRIBUTE));
}

interface Path {
  text: string;
  /** Keys downwards: `a.b@c` has the keys `a`, `b` and `@c`. */
  keys: readonly string[];
  isList: boolean;
  /** Of `a[].b` the list of objects `a[]` and the path `b` in each; else null. */
  inner: readonly [list: string, path: string] | null;
}

/** Every path that was read: there are some hundreds, and each is read from every record. */
const PATHS = new Map<string, Path>();

function parsedPath(path: string): Path {
  const known = PATHS.get(path);
  if (known !== undefined) return known;
  const end = path.lastIndexOf('[].');
  const isList = path.endsWith('[]');
  const keys = (isList ? path.slice(0, -2) : path).split(/\.|(?<=.)(?=@)/);
  const inner = end < 0 ? null : ([path.slice(0, end + 2), path.slice(end + 3)] as const);
  const parsed = { text: path, keys, isList, inner };
  PATHS.set(path, parsed);
  return parsed;
}

/**
 * An object of a parsed record, JSON or XML. A path leads downwards: `a.b` is a member of a member, `a.b[]` are the
 * members of a list, `a@b` is an attribute. What is absent or blank reads as null or an empty list; a value of another
 * type than the one that is read does too, and is named in `faults`, once.
 */
export class Fields {
  readonly registry: RegistryId;
  /** Null when the record lacks the object. */
  readonly value: Members | null;
  readonly path: string;
  readonly faults: FieldFault[];

  constructor(registry: RegistryId, value: Members | null, path = '', faults: FieldFault[] = []) {
    this.registry = registry;
    this.value = value;
    this.path = path;
    this.faults = faults;
  }

  /** The root of a parsed record. Throws `not-an-object`. */
  static root(registry: RegistryId, value: unknown): Fields {
    if (!isObject(value)) throw new RecordFault('not-an-object', `the record is a ${typeName(value)}, not an object`);
    return new Fields(registry, value);
  }

  /** True when there is a value other than null. */
  has(path: string): boolean {
    return this.#valueAt(parsedPath(path)) !== null;
  }

  /** The trimmed text without entities. For an XML element with attributes: the text that it holds. */
  text(path: string): string | null {
    const value = this.#valueAt(parsedPath(path));
    return value === null ? null : this.#textOf(path, value);
  }

  /** The text, unless it says only that there is nothing to say. */
  stated(path: string): string | null {
    return withoutFiller(this.text(path));
  }

  /** The stated text as a reader sees it, without what leads to a person. */
  prose(path: string): string | null {
    const text = this.stated(path);
    if (text === null) return null;
    return withoutContacts(this.registry === 'clinicaltrials_gov' ? withoutEscapes(text) : text);
  }

  /** The text with its line breaks and blanks. */
  layout(path: string): string | null {
    const value = this.#valueAt(parsedPath(path));
    if (typeof value !== 'string') return this.text(path);
    const text = withoutEntities(value);
    return text.trim() === '' ? null : text;
  }

  /** Like `text` for a field that a record needs: another type throws `bad-field` with its path. */
  essential(path: string, id: string | null = null): string | null {
    const before = this.faults.length;
    const text = this.text(path);
    const found = this.faults[before];
    if (found === undefined) return text;
    throw new RecordFault('bad-field', `${found.path}: expected ${found.expected}, found ${found.found}`, id);
  }

  /** A digit string or number as the registry wrote it. */
  numberText(path: string): string | null {
    const value = this.#valueAt(parsedPath(path));
    return typeof value === 'number' ? String(value) : this.text(path);
  }

  number(path: string): number | null {
    const value = this.#valueAt(parsedPath(path));
    return value === null || typeof value === 'number' ? value : this.#fault(path, 'number', value);
  }

  flag(path: string): boolean | null {
    const value = this.#valueAt(parsedPath(path));
    return value === null || typeof value === 'boolean' ? value : this.#fault(path, 'boolean', value);
  }

  /** The object, or one without members. An XML element without children arrives as blank text. */
  object(path: string): Fields {
    const value = this.#valueAt(parsedPath(path));
    if (!isBlank(value) && !isObject(value)) this.#fault(path, 'object', value);
    return new Fields(this.registry, isObject(value) ? value : null, this.#pathOf(path), this.faults);
  }

  /** The objects of a list, or the one object at a path without a list. */
  objects(path: string): Fields[] {
    const parsed = parsedPath(path);
    const values = parsed.isList ? this.#listAt(parsed) : [this.object(path).value];
    const found: Fields[] = [];
    for (const value of values) {
      if (isObject(value)) found.push(new Fields(this.registry, value, this.#pathOf(path), this.faults));
      else if (!isBlank(value)) this.#fault(path, 'object', value);
    }
    return found;
  }

  /** The elements of an XML list. One without attributes and children arrives as text and becomes an object with it. */
  elements(path: string): Fields[] {
    const values = this.#listAt(parsedPath(path)).map((value) =>
      typeof value === 'string' ? { [XML_TEXT]: value } : value,
    );
    return values.filter(isObject).map((value) => new Fields(this.registry, value, this.#pathOf(path), this.faults));
  }

  /** The non-blank texts of a list, trimmed; of a list of objects those of one of their members; of no list the one text. */
  texts(path: string): string[] {
    const parsed = parsedPath(path);
    if (parsed.inner !== null) {
      const [list, inner] = parsed.inner;
      return this.objects(list).flatMap((one) => one.texts(inner));
    }
    const values = parsed.isList ? this.#listAt(parsed) : [this.#valueAt(parsed) ?? ''];
    return values.flatMap((value) => this.#textOf(path, value) ?? []);
  }

  /** The stated texts, each once. */
  terms(path: string): string[] {
    return distinct(this.texts(path).filter((text) => !isFiller(text)));
  }

  #listAt(path: Path): readonly unknown[] {
    const value = this.#valueAt(path);
    if (Array.isArray(value)) return value;
    if (!isBlank(value)) this.#fault(path.text.slice(0, -'[]'.length), 'list', value);
    return NO_VALUES;
  }

  /** Null and undefined both mean absent. Inherited keys are ignored. */
  #valueAt({ keys }: Path): unknown {
    let value: unknown = this.value;
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place] as string;
      if (!isObject(value)) {
        // An XML element without attributes arrives as text.
        if (isBlank(value) || (key.startsWith(XML_ATTRIBUTE) && typeof value === 'string')) return null;
        return this.#fault(keys.slice(0, place).join('.'), 'object', value);
      }
      value = Object.hasOwn(value, key) ? (value[key] ?? null) : null;
    }
    return value;
  }

  #textOf(path: string, value: unknown): string | null {
    const plain = isObject(value) && isXmlLeaf(value) ? (value[XML_TEXT] ?? '') : value;
    if (typeof plain !== 'string') return this.#fault(path, 'text', value);
    const trimmed = withoutEntities(plain).trim();
    return trimmed === '' ? null : trimmed;
  }

  #pathOf(path: string): string {
    return this.path === '' ? path : `${this.path}.${path}`;
  }

  #fault(below: string, expected: string, value: unknown): null {
    const [path, found] = [this.#pathOf(below), typeName(value)];
    const isKnown = this.faults.some((one) => one.path === path && one.expected === expected && one.found === found);
    if (!isKnown) this.faults.push({ path, expected, found });
    return null;
  }
}
