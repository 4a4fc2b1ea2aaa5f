import { describe, expect, test } from 'vitest';
import { readCheckpoint } from '../../proof/verify.mjs';
import { checkpointOver, rootOf } from './publication-log.ts';

/** The example of c2sp.org/tlog-checkpoint, with the cosignature of c2sp.org/tlog-cosignature. */
const TEXT = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`;
const NOTE = `${TEXT}
— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

test('the example of the specification is read', async () => {
  const read = await readCheckpoint(NOTE, 'log');
  expect(read).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163, text: TEXT });
  expect(read.root).toBe('0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62');
  expect(read.signatures.map(({ name }) => name)).toEqual(['example.com/behind-the-sofa', 'witness.example.com/w1']);
  expect(await readCheckpoint(TEXT, 'log')).toEqual({ ...read, signatures: [] });
});

test('lines after the third are allowed', async () => {
  expect((await readCheckpoint(`${TEXT}extension\n`, 'log')).size).toBe(20_852_163);
});

test('a checkpoint over identities is written as it is read', async () => {
  const identities = ['1'.repeat(64), '2'.repeat(64)];
  const read = await readCheckpoint(checkpointOver('example.org/trials', identities), 'log');
  expect(read).toMatchObject({ origin: 'example.org/trials', size: 2, root: rootOf(identities, [2])[0] });
});

describe('what is not a checkpoint is refused', () => {
  test.each([
    ['', 'three lines or more'],
    ['example.com\n1\n', 'three lines or more'],
    [TEXT.slice(0, -1), 'three lines or more'],
    [TEXT.replace('example.com/behind-the-sofa', ''), 'three lines or more'],
    [`${TEXT}\n`, '1 to 64 lines of signatures'],
    [TEXT.replace('20852163', '020852163'), 'the size of a checkpoint'],
    [TEXT.replace('20852163', '-1'), 'the size of a checkpoint'],
    [TEXT.replace('20852163', '1e3'), 'the size of a checkpoint'],
    [TEXT.replace('20852163', '9007199254740993'), 'the size of a checkpoint'],
    [TEXT.replace('q2I=', 'q2I'), 'base64 of 32 bytes'],
    [TEXT.replace('q2I=', 'q2J='), 'base64 of 32 bytes'],
    [TEXT.replace('CsUY', ''), 'base64 of 32 bytes'],
  ])('%j', async (text, message) => {
    await expect(readCheckpoint(text, 'log')).rejects.toThrow(message);
  });
});
