import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, texts } from '../../test/builders/slices.ts';
import { JsonSlicer, TextSlicer } from './json-slicer.ts';

const chunkSizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
const indent = fc.constantFrom(0, 1, 4);

describe('JsonSlicer', () => {
  test('cuts from an array exactly the values that JSON.parse finds, whatever the chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), indent, chunkSizes, (values, spaces, sizes) => {
        const slices = texts(cut(new JsonSlicer('array'), JSON.stringify(values, null, spaces), sizes));
        expect(slices.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
      { numRuns: 500 },
    );
  });

  test('keeps every byte of an element of a page and reads the fields beside it', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.string(), fc.boolean(), chunkSizes, (values, token, first, sizes) => {
        const studies = values.map((value) => JSON.stringify(value, null, 2));
        const fields = `"nextPageToken" : ${JSON.stringify(token)}, "totalCount":7`;
        const list = `"studies":[ ${studies.join(' ,\n')} ]`;
        const slicer = new JsonSlicer('page');
        const slices = cut(slicer, first ? `{${list},${fields}}` : ` {${fields},${list} }\n`, sizes);
        expect(texts(slices)).toEqual(studies);
        expect(slicer.fields.nextPageToken).toBe(token);
        expect(slicer.statedTotal).toBe(7);
      }),
      { numRuns: 300 },
    );
  });

  test('finds the end of strings with runs of backslashes, quotes and brackets at every chunk size', () => {
    const document = String.raw`[{"a":"\\\\","b":"\\\"]}"},"x\\",{"long":"${'y\\\\'.repeat(40)}\" ] [ {"}]`;
    const expected = JSON.parse(document).map((value: unknown) => JSON.stringify(value));
    for (let size = 1; size <= document.length; size++) {
      expect(texts(cut(new JsonSlicer('array'), document, [size]))).toEqual(expected);
    }
  });

  test('passes over a byte order mark, even one that is split over chunks', () => {
    expect(texts(cut(new JsonSlicer('array'), '\ufeff[1]', [1]))).toEqual(['1']);
  });

  test('hands a broken element over as it is and goes on with the next', () => {
    expect(texts(cut(new JsonSlicer('array'), '[{"a":},{"b" 1},{"c":1}]'))).toEqual(['{"a":}', '{"b" 1}', '{"c":1}']);
    expect(texts(cut(new JsonSlicer('array'), '[{"a":1}},{} {},3]'))).toEqual(['{"a":1}}', '{} {}', '3']);
  });

  test('says truncated wherever the tail of a page is missing', () => {
    const page = '{"totalCount":2,"studies":[{"a":[1,"]"]},{"b":"\\""}],"nextPageToken":"t"}';
    for (let length = 1; length < page.length; length++) {
      expect(() => cut(new JsonSlicer('page'), page.slice(0, length)), page.slice(0, length)).toThrow(
        /before its JSON is closed/,
      );
    }
  });

  test('refuses what is no page with the byte at which it goes wrong', () => {
    expect(() => cut(new JsonSlicer('page'), '{"studies":null}')).toThrow('no "studies" array');
    expect(() => cut(new JsonSlicer('page'), '{"a":1}')).toThrow('no "studies" array');
    expect(() => cut(new JsonSlicer('array'), '[1,]')).toThrow('unexpected "]" at byte 3');
    expect(() => cut(new JsonSlicer('array'), '[1] x')).toThrow('the JSON behind its records is wrong: "] x"');
  });

  test('refuses a file in which no record ends within the bytes that may wait', () => {
    const slicer = new JsonSlicer('array', 50);
    const read = (text: string) => texts(slicer.push(Buffer.from(text)));
    expect(read(`["${'x'.repeat(40)}",`)).toEqual([`"${'x'.repeat(40)}"`]);
    expect(read(`"${'x'.repeat(40)}`)).toEqual([]);
    expect(() => read('x'.repeat(60))).toThrow('no record ends in 101 bytes behind byte 44');
  });
});

describe('TextSlicer', () => {
  test('cuts exactly the lines written, whatever the chunks, line ends and blank lines', () => {
    const lineEnd = fc.constantFrom('\n', '\r\n', '\n\n', ' \n');
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { minLength: 1 }),
        lineEnd,
        fc.boolean(),
        chunkSizes,
        (values, end, last, sizes) => {
          const lines = values.map((value) => JSON.stringify(value));
          const slices = cut(new TextSlicer('lines'), lines.join(end) + (last ? end : ''), sizes);
          expect(texts(slices)).toEqual(lines);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('says truncated for a last line that is cut, and hands over one that is broken in the middle', () => {
    expect(() => cut(new TextSlicer('lines'), '{"a":1}\n{"b":"x')).toThrow(
      'it ends after 15 bytes, before its JSON is closed',
    );
    expect(texts(cut(new TextSlicer('lines'), '{"a":1}\n{"b":"x\n{"c":3}\n'))).toEqual([
      '{"a":1}',
      '{"b":"x',
      '{"c":3}',
    ]);
  });
});
