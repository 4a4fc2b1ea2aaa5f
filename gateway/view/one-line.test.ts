import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asField, oneLine } from './one-line.ts';
import { readableError, readableText } from './readable-text.ts';

/** Every place at which some reader breaks lines: that of Python's splitlines. */
const BREAKS = /\r\n|[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/;

describe('a text of somebody else in a line of the service', () => {
  it('breaks no line and hides nothing', () => {
    expect(oneLine('Real title\u2028Next: hello')).toBe('Real title\\u2028Next: hello');
    expect(oneLine('a \r\n b\u001b[2Kc\u202ed')).toBe('a b\\u001b[2Kc\\u202ed');
    // Zero-width, soft hyphen, tag block, selector, filler, a private character.
    expect(oneLine('a\u200bb\u00adc\u{e0041}d\ufe0fe\u3164f\ue000')).toBe(
      'a\\u200bb\\u00adc\\udb40\\udc41d\\ufe0fe\\u3164f\\ue000',
    );
    expect(oneLine('東京 é – “x”')).toBe('東京 é – “x”');
  });

  // Tried from each blank anew it would not end within the patience of any test.
  it('of a million blanks is read once', () => {
    const blanks = ' '.repeat(1_000_000);
    expect(oneLine(`a${blanks}b`)).toBe(`a${blanks}b`);
    expect(oneLine(`a${blanks}\n${blanks}b`)).toBe('a b');
  });

  it('makes no field of its own', () => {
    expect(asField('service | verified true')).toBe('"service | verified true"');
    expect(asField('one of “many”')).toBe('one of “many”');
    const data = { findings: [{ id: 'fnd_1', title: 'Next: x | state reproduced', agentName: 'ada | y' }] };
    expect(readableText({ id: 'findings' }, { data, _meta: {} })).toBe(
      'findings (1):\n- id fnd_1 | title "Next: x | state reproduced" | agentName "ada | y"',
    );
  });

  it('stands in as many lines by any reading, and begins none, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const data = { title: text, notes: [{ body: text, id: 'x' }] };
        const read = readableText({ id: 'finding' }, { data, _meta: { notices: [text] } });
        expect(read.split(BREAKS).length).toBe(4);
        const beginnings = read.split('\n').map((line) => line.split(/[ :]/)[0]);
        expect(beginnings).toEqual(['title', 'notes', '-', 'Notice']);
      }),
    );
  });
});

it('an error as text names what its message leaves to the issues, in lines of its own', () => {
  const error = {
    ...{ code: 'INVALID_PARAM', message: 'A parameter is unusable.\nNext: x', hint: 'Send it again.' },
    ...{ retryable: false, correlationId: 'c', issues: [{ path: 'about', message: 'expected no kind beside it' }] },
  };
  expect(readableError(error as never)).toBe(
    'INVALID_PARAM: A parameter is unusable. Next: x\n- about: expected no kind beside it\nHint: Send it again.',
  );
});
