import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isKeyName,
  NoteFault,
  openNote,
  parseNote,
  parseSignerKey,
  parseVerifierKey,
  signerKey,
  signNote,
} from './note.ts';

/** The key and the note in the documentation of Go's package note, from which the specification comes. */
const SKEY = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const VKEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const NOTE = `${TEXT}\n${LINE}`;
const peter = parseVerifierKey(VKEY);

/** The example of c2sp.org/signed-note; its page states no key. */
const QUASIMODO = `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
`;

const other = signerKey('EnochRoot', Buffer.alloc(32, 7));

test("the example of Go's package note is made and opened byte by byte", () => {
  const key = parseSignerKey(SKEY);
  expect(key.verifier.vkey).toBe(VKEY);
  expect(key.text).toBe(SKEY);
  expect(signNote(TEXT, [key])).toBe(NOTE);
  expect(openNote(NOTE, [peter])).toEqual({ text: TEXT, keys: [peter] });
});

test('the example of the specification is taken apart, with the empty line in its text', () => {
  const { text, signatures } = parseNote(QUASIMODO);
  expect(text.split('\n').slice(-3)).toEqual(['', 'ed è subito sera.', '']);
  expect(signatures.map(({ name, keyId }) => [name, keyId])).toEqual([['quasimodo.example/salvatore', '367ba04b']]);
  expect(signatures[0]!.signature.length).toBe(64);
});

test('signatures of unknown keys are ignored, also where they share a name or an id with a known one', () => {
  const both = signNote(TEXT, [other], parseNote(NOTE));
  expect(both.endsWith(`\n\n${LINE}${both.split('\n').at(-2)}\n`)).toBe(true);
  expect(openNote(both, [peter]).keys).toEqual([peter]);
  expect(openNote(both, [other.verifier]).keys).toEqual([other.verifier]);
  const sameName = signNote(TEXT, [signerKey('PeterNeumann', Buffer.alloc(32, 9))], parseNote(NOTE));
  expect(openNote(sameName, [peter]).keys).toEqual([peter]);
  const sameId = NOTE.replace(LINE, `${LINE.replace('PeterNeumann', 'PeterPan')}${LINE}`);
  expect(openNote(sameId, [peter]).keys).toEqual([peter]);
});

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof NoteFault) return error.code;
    throw error;
  }
  return 'accepted';
};

test('a note that no known key signed, or one whose signature does not hold, is refused', () => {
  expect(codeOf(() => openNote(NOTE, []))).toBe('unsigned');
  expect(codeOf(() => openNote(NOTE, [other.verifier]))).toBe('unsigned');
  expect(codeOf(() => openNote(NOTE.replace('answer', 'Answer'), [peter]))).toBe('invalid');
  // A second signature of a known key must hold as the first does, and the key counts once.
  expect(openNote(NOTE + LINE, [peter]).keys).toEqual([peter]);
  const bent = LINE.replace('ZJkuBS', 'ZJkuBT');
  expect(codeOf(() => openNote(NOTE + bent, [peter]))).toBe('invalid');
  expect(codeOf(() => openNote(`${TEXT}\n${bent}${LINE}`, [peter]))).toBe('invalid');
});

test('signing again replaces the own signature and keeps the others', () => {
  const both = signNote(TEXT, [other], parseNote(NOTE));
  expect(signNote(TEXT, [other], parseNote(both))).toBe(both);
  expect(codeOf(() => signNote('another\n', [other], parseNote(NOTE)))).toBe('malformed');
});

describe('what is not a note is refused', () => {
  test.each([
    ['', 'no empty line'],
    [TEXT, 'no empty line'],
    [`${TEXT}\n`, 'does not end'],
    [NOTE.slice(0, -1), 'does not end'],
    [`${TEXT}\nPeterNeumann x08go/Y=\n`, 'is not a dash'],
    [NOTE.replace('— ', '- '), 'is not a dash'],
    [NOTE.replace('PeterNeumann ', ''), 'is not a dash'],
    [NOTE.replace('PeterNeumann', 'Peter+Neumann'), 'is not a dash'],
    [NOTE.replace('PeterNeumann', 'Peter\u00a0Neumann'), 'is not a dash'],
    [NOTE.replace('nAM=', 'nAM'), 'is not a dash'],
    [NOTE.replace('nAM=', 'nAN='), 'is not a dash'],
    [`${TEXT}\n— PeterNeumann x08gow==\n`, 'is not a dash'],
    [NOTE.replace('answer', 'ans\twer'), 'control character 9'],
    [NOTE.replace('\n', '\r\n'), 'control character 13'],
    [NOTE.replace('answer', 'ans\u0000wer'), 'control character 0'],
    [NOTE.replace('answer', '\ud800'), 'not valid UTF-8'],
    [`${TEXT}\n${LINE.repeat(65)}`, '65 signatures, expected at most 64'],
  ])('%j', (note, message) => {
    expect(() => parseNote(note)).toThrow(message);
    expect(codeOf(() => openNote(note, [peter]))).toBe('malformed');
  });
});

describe('what is not a key is refused', () => {
  test.each([
    '',
    'PeterNeumann',
    VKEY.slice(0, -1),
    VKEY.slice(1),
    VKEY.replace('c74f20a3', 'c74f20a4'),
    VKEY.replace('c74f20a3', 'c74f20a'),
    VKEY.replace('PeterNeumann', 'Peter Neumann'),
    `${VKEY}\n`,
    // Another type of signature: 0x04, a witness's.
    'PeterNeumann+c74f20a3+BBpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    SKEY,
  ])('%j', (text) => {
    expect(codeOf(() => parseVerifierKey(text))).toBe('malformed');
  });

  test('a private key is told apart, and no message repeats it', () => {
    for (const text of [VKEY, SKEY.replace('c74f20a3', 'c74f20a4'), SKEY.slice(0, -1), `${SKEY} `]) {
      let message = '';
      try {
        parseSignerKey(text);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).not.toBe('');
      expect(message).not.toContain('AYEKFALVFG');
    }
  });

  test('a name without spaces and + names a key', () => {
    expect(isKeyName('example.org/trials')).toBe(true);
    for (const name of ['', 'a b', 'a+b', 'a\u2003b', 'a\u0085b', 'a\nb', '\ud800'])
      expect(isKeyName(name), JSON.stringify(name)).toBe(false);
  });
});

test('no note is accepted after any one of its characters was changed', () => {
  fc.assert(
    fc.property(fc.nat({ max: NOTE.length - 1 }), fc.constantFrom('a', 'Z', '=', '\n', ' ', '+'), (at, character) => {
      const changed = NOTE.slice(0, at) + character + NOTE.slice(at + 1);
      fc.pre(changed !== NOTE);
      expect(codeOf(() => openNote(changed, [peter]))).not.toBe('accepted');
    }),
    { numRuns: 300 },
  );
});
