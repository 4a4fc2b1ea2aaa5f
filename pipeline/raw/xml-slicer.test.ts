import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, texts } from '../../test/builders/slices.ts';
import { XmlSlicer } from './xml-slicer.ts';

const FIRST =
  '<fullTrial><trial a="1>2" b=\'"\'><trialDescription>x</trialDescription><!-- </fullTrial> <fullTrial> --></trial></fullTrial>';
const SECOND =
  '<fullTrial >\n<trial><t><![CDATA[</fullTrial>]]]]></t><?pi </fullTrial>?>\u00e9</trial>\n</fullTrial\n>';
const LIST = `\ufeff<?xml version="1.0"?>\n<!-- <fullTrial> --><allTrials xmlns="u" totalCount="31">${FIRST}${SECOND}\n</allTrials>\n`;

describe('XmlSlicer', () => {
  test('cuts trials exactly, past comments, CDATA, instructions and quoted brackets, at every chunk size', () => {
    const length = Buffer.byteLength(LIST);
    for (let size = 1; size <= length; size++) {
      const slicer = new XmlSlicer();
      expect(texts(cut(slicer, LIST, [size]))).toEqual([FIRST, SECOND]);
      expect(slicer.statedTotal).toBe(31);
    }
  });

  test('cuts any text of a trial whole, whatever the chunk size', () => {
    const body = fc.array(
      fc.constantFrom(
        ...['a', '\u20ac', '<x y="z>"/>', '<trialDescription/>', '<!--</trial>-->', '<![CDATA[</trial>]]>'],
        ...[' ', '&lt;', '<trials>'],
      ),
    );
    fc.assert(
      fc.property(fc.array(body), fc.integer({ min: 1, max: 30 }), (bodies, size) => {
        const trials = bodies.map((parts) => `<trial>${parts.join('')}</trial>`);
        expect(texts(cut(new XmlSlicer(), `<allTrials>${trials.join('\n')}</allTrials>`, [size]))).toEqual(trials);
      }),
      { numRuns: 300 },
    );
  });

  test('takes a bare trial, a bare fullTrial and an empty list', () => {
    expect(texts(cut(new XmlSlicer(), '<trial v="1"><isrctn>1</isrctn></trial>\n'))).toEqual([
      '<trial v="1"><isrctn>1</isrctn></trial>',
    ]);
    expect(texts(cut(new XmlSlicer(), '<fullTrial><trial/></fullTrial>'))).toEqual(['<fullTrial><trial/></fullTrial>']);
    const empty = new XmlSlicer();
    expect(cut(empty, '<allTrials totalCount="0" xmlns="u"></allTrials>')).toEqual([]);
    expect(empty.statedTotal).toBe(0);
    expect(cut(new XmlSlicer(), '<allTrials totalCount="0"/>')).toEqual([]);
  });

  test('says truncated wherever the tail is missing', () => {
    const document = LIST.trimEnd();
    const rootAt = document.indexOf('<allTrials');
    for (let length = rootAt + 2; length < document.length; length++) {
      expect(() => cut(new XmlSlicer(), document.slice(0, length)), document.slice(0, length)).toThrow(
        /before its XML is closed/,
      );
    }
  });

  test('gives up a trial that is not closed before the next one begins, and keeps the next', () => {
    const slices = texts(cut(new XmlSlicer(), '<allTrials><fullTrial><trial><fullTrial>b</fullTrial></allTrials>'));
    expect(slices).toEqual([
      'not-xml: <fullTrial> is not closed before the next one begins',
      '<fullTrial>b</fullTrial>',
    ]);
  });

  test('does not let a lost quotation mark swallow the trials behind it', () => {
    const sound = '<fullTrial a="1"><x a="1"></x></fullTrial>';
    for (const broken of ['<fullTrial><x a="1></x></fullTrial>', '<fullTrial a="1><x></x></fullTrial>']) {
      expect(texts(cut(new XmlSlicer(), `<allTrials>${broken}${sound}</allTrials>`))).toEqual([broken, sound]);
    }
  });

  test('refuses what is no list of trials', () => {
    expect(() => cut(new XmlSlicer(), '<error>down</error>')).toThrow('unexpected <error> outside a record at byte 0');
    expect(() => cut(new XmlSlicer(), '<allTrials>oops</allTrials>')).toThrow('text outside a record at byte 11');
    expect(() => cut(new XmlSlicer(), '<!DOCTYPE allTrials [<!ENTITY a "b">]><allTrials/>')).toThrow(
      'unexpected <!DOCTYPE> outside a record at byte 0',
    );
  });
});
