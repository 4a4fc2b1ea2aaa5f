import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isKeyName, parseSignerKey, signerKey, signNote } from './note.ts';
import { type PublicKey, readKey, readNote, signersOf } from './verify.mjs';

/** The key and the note in the documentation of Go's package note, from which the specification comes. */
const SKEY = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const VKEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const NOTE = `${TEXT}\n${LINE}`;
const peter = await readKey(VKEY);

/** The example of c2sp.org/signed-note; its page states no key. */
const QUASIMODO = `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
`;

const other = signerKey('EnochRoot', Buffer.alloc(32, 7));

/** The known keys that signed a note. */
const openedBy = async (note: string, known: readonly PublicKey[]): Promise<PublicKey[]> =>
  (await signersOf(readNote(note, 'log'), known, 'signature')).by;

test("the example of Go's package note is made and opened byte by byte", async () => {
  const key = parseSignerKey(SKEY);
  expect(key.verifier).toEqual(peter);
  expect(key.text).toBe(SKEY);
  expect(signNote(TEXT, [key])).toBe(NOTE);
  expect(readNote(NOTE, 'log').text).toBe(TEXT);
  expect(await openedBy(NOTE, [peter])).toEqual([peter]);
});

test('the example of the specification is taken apart, with the empty line in its text', () => {
  const { text, signatures } = readNote(QUASIMODO, 'log');
  expect(text.split('\n').slice(-3)).toEqual(['', 'ed è subito sera.', '']);
  expect(signatures.map(({ name, id }) => [name, id])).toEqual([['quasimodo.example/salvatore', '367ba04b']]);
  expect(signatures[0]!.signature.length).toBe(64);
});

test('signatures of unknown keys are ignored, also where they share a name or an id with a known one', async () => {
  const both = signNote(TEXT, [other], readNote(NOTE, 'log'));
  expect(both.endsWith(`\n\n${LINE}${both.split('\n').at(-2)}\n`)).toBe(true);
  expect(await openedBy(both, [peter])).toEqual([peter]);
  expect(await openedBy(both, [other.verifier])).toEqual([other.verifier]);
  const sameName = signNote(TEXT, [signerKey('PeterNeumann', Buffer.alloc(32, 9))], readNote(NOTE, 'log'));
  expect(await openedBy(sameName, [peter])).toEqual([peter]);
  const sameId = NOTE.replace(LINE, `${LINE.replace('PeterNeumann', 'PeterPan')}${LINE}`);
  expect(await openedBy(sameId, [peter])).toEqual([peter]);
});

test('a note whose signature does not hold is refused, and one that no known key signed has no signer', async () => {
  expect(await openedBy(NOTE, [])).toEqual([]);
  expect(await openedBy(NOTE, [other.verifier])).toEqual([]);
  await expect(openedBy(NOTE.replace('answer', 'Answer'), [peter])).rejects.toThrow('does not hold');
  // A second signature of a known key must hold as the first does, and the key counts once.
  expect(await openedBy(NOTE + LINE, [peter])).toEqual([peter]);
  const bent = LINE.replace('ZJkuBS', 'ZJkuBT');
  await expect(openedBy(NOTE + bent, [peter])).rejects.toThrow('does not hold');
  await expect(openedBy(`${TEXT}\n${bent}${LINE}`, [peter])).rejects.toThrow('does not hold');
});

test('signing again replaces the own signature and keeps the others', () => {
  const both = signNote(TEXT, [other], readNote(NOTE, 'log'));
  expect(signNote(TEXT, [other], readNote(both, 'log'))).toBe(both);
});

describe('what is not a note is refused', () => {
  test.each([
    ['', '1 to 64 lines'],
    [`${TEXT}\n`, '1 to 64 lines'],
    [NOTE.slice(0, -1), '1 to 64 lines'],
    [`${TEXT}\n${LINE.repeat(65)}`, '1 to 64 lines'],
    [`${TEXT}\nPeterNeumann x08go/Y=\n`, 'is not a dash'],
    [NOTE.replace('— ', '- '), 'is not a dash'],
    [NOTE.replace('PeterNeumann ', ''), 'is not a dash'],
    [NOTE.replace('PeterNeumann', 'Peter+Neumann'), 'is not a dash'],
    [NOTE.replace('PeterNeumann', 'Peter\u00a0Neumann'), 'is not a dash'],
    [NOTE.replace('nAM=', 'nAM'), 'is not a dash'],
    [NOTE.replace('nAM=', 'nAN='), 'is not a dash'],
    [`${TEXT}\n— PeterNeumann x08gow==\n`, 'is not a dash'],
    [NOTE.replace('answer', 'ans\twer'), 'control character'],
    [NOTE.replace('\n', '\r\n'), 'control character'],
  ])('%j', (note, message) => {
    expect(() => readNote(note, 'log')).toThrow(message);
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
  ])('%j', async (text) => {
    await expect(readKey(text)).rejects.toThrow('public key');
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

test('no note is accepted after any one of its characters was changed', async () => {
  const characters = fc.constantFrom('a', 'Z', '=', '\n', ' ', '+');
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: NOTE.length - 1 }), characters, async (at, character) => {
      const changed = NOTE.slice(0, at) + character + NOTE.slice(at + 1);
      fc.pre(changed !== NOTE);
      expect(await openedBy(changed, [peter]).catch(() => [])).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
