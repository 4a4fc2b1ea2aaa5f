import { describe, expect, test } from 'vitest';
import { checkpointText, parseCheckpoint, textOfCheckpoint } from './publication-log.ts';

/** The example of c2sp.org/tlog-checkpoint, with the cosignature of c2sp.org/tlog-cosignature. */
const TEXT = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`;
const NOTE = `${TEXT}
— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

test('the example of the specification is read and written byte by byte', () => {
  const read = parseCheckpoint(TEXT);
  expect(read.origin).toBe('example.com/behind-the-sofa');
  expect(read.size).toBe(20_852_163);
  expect(read.root.toString('hex')).toBe('0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62');
  expect(checkpointText(read)).toBe(TEXT);
  expect(textOfCheckpoint(NOTE)).toEqual({ text: TEXT, isSigned: true });
  expect(textOfCheckpoint(TEXT)).toEqual({ text: TEXT, isSigned: false });
});

test('lines after the third are allowed', () => {
  expect(parseCheckpoint(`${TEXT}extension\n`).size).toBe(20_852_163);
});

describe('what is not a checkpoint is refused', () => {
  test.each([
    ['', 'three lines or more'],
    ['example.com\n1\n', 'three lines or more'],
    [TEXT.slice(0, -1), 'three lines or more'],
    [TEXT.replace('example.com/behind-the-sofa', ''), 'three lines or more'],
    [`${TEXT}\n`, 'three lines or more'],
    [TEXT.replace('20852163', '020852163'), 'the size of the checkpoint'],
    [TEXT.replace('20852163', '-1'), 'the size of the checkpoint'],
    [TEXT.replace('20852163', '1e3'), 'the size of the checkpoint'],
    [TEXT.replace('20852163', '9007199254740993'), 'the size of the checkpoint'],
    [TEXT.replace('q2I=', 'q2I'), 'base64 of 32 bytes'],
    [TEXT.replace('q2I=', 'q2J='), 'base64 of 32 bytes'],
    [TEXT.replace('CsUY', ''), 'base64 of 32 bytes'],
  ])('%j', (text, message) => {
    expect(() => parseCheckpoint(text)).toThrow(message);
  });
});
