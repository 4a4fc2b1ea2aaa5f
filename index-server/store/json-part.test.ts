import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NoPart, partAt } from './json-part.ts';

const found = (json: string, pointer: string): string | NoPart => {
  const part = partAt(Buffer.from(json), pointer);
  return part instanceof Uint8Array ? Buffer.from(part).toString('utf8') : part;
};

/** The document of RFC 6901, section 5. */
const RFC = JSON.stringify({
  ...{ foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7, 'm~n': 8 },
});
const RECORD =
  '\ufeff{ "a" : { "n": 1.50, "list": [ {"x": "\\u00e9, ]}"}, 2 , [] ], "x": 1, "x": 2 }, "empty": {} }'.slice(1);

describe('a part of a JSON text', () => {
  it('stands as it was written, and the last of two equal names counts', () => {
    expect(found(RECORD, '/a/n')).toBe('1.50');
    expect(found(RECORD, '/a/list')).toBe('[ {"x": "\\u00e9, ]}"}, 2 , [] ]');
    expect(found(RECORD, '/a/list/1')).toBe('2');
    expect(found(RECORD, '/a/list/2')).toBe('[]');
    expect(found(RECORD, '/a/x')).toBe('2');
    expect(found(RECORD, '/empty')).toBe('{}');
  });

  it('that is not there is told by how far the pointer leads and what can follow', () => {
    expect(found(RECORD, '/a/lists/0')).toEqual({ reached: '/a', holds: { names: ['n', 'list', 'x', 'x'], of: 4 } });
    for (const index of ['3', '-', '01', '1e0', ''])
      expect(found(RECORD, `/a/list/${index}`)).toEqual({ reached: '/a/list', holds: { items: 3 } });
    expect(found(RECORD, '/a/n/0')).toEqual({ reached: '/a/n', holds: null });
    expect(found(RECORD, '/constructor')).toEqual({ reached: '', holds: { names: ['a', 'empty'], of: 2 } });
    expect(found('[1,[]]', '/1/0')).toEqual({ reached: '/1', holds: { items: 0 } });
  });

  it('is for every pointer of every value what a parser finds there', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        const walk = (at: unknown, pointer: string): void => {
          expect(JSON.parse(found(json, pointer) as string)).toEqual(JSON.parse(JSON.stringify(at)));
          if (at === null || typeof at !== 'object') return;
          for (const [name, child] of Object.entries(at))
            walk(child, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
        };
        walk(JSON.parse(json), '');
      }),
      { examples: [[JSON.parse(RFC), 0]] },
    );
  });
});
