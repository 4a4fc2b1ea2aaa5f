import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../contract/operations.ts';
import { bodyOf, type WrittenAnswer, WrittenMeta } from '../server-kit/answer/written-meta.ts';
import { ownMetaStart } from '../server-kit/mount.ts';
import { gzipBody, type KeptBody, plainBody } from './kept-body.ts';

function written(data: unknown, members: Record<string, unknown>): WrittenAnswer {
  const meta = new WrittenMeta(members, () => true);
  return { operation: OPERATIONS[0]!, data: Buffer.from(JSON.stringify(data)), meta };
}

function bytes(parts: readonly (Buffer | string)[], encoding: 'latin1' | 'utf8'): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, encoding) : part)));
}

/** Both bodies, and what they are to stand for. */
async function bodies(answer: WrittenAnswer, own: string): Promise<Record<'plain' | 'unpacked' | 'expected', Buffer>> {
  const sent = (body: KeptBody): Buffer => bytes(body.parts(own), 'latin1');
  const packed = await gzipBody(answer);
  expect(packed.fields).toEqual(['content-length', String(sent(packed).length)]);
  return {
    plain: sent(plainBody(answer)),
    // Checks the sum and the size at the end.
    unpacked: gunzipSync(sent(packed)),
    expected: bytes(bodyOf(answer, own), 'utf8'),
  };
}

const ownNow = (): string => ownMetaStart({ correlationId: randomUUID(), now: new Date() });

describe('a kept body', () => {
  it('has all bytes of the answer, plain and packed', async () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), members, async (data, meta) => {
        const { plain, unpacked, expected } = await bodies(written(data, meta), ownNow());
        expect([plain, unpacked]).toEqual([expected, expected]);
      }),
      {
        numRuns: 100,
        examples: [
          ['', {}],
          ['étude 研究 \u0000', { notices: ['naïve \u2028'] }],
        ],
      },
    );
  });

  it.each([11_998, 11_999, 70_000])('has them with %i characters', async (length) => {
    const { plain, unpacked, expected } = await bodies(written('é'.repeat(length), { notices: ['ü'] }), ownNow());
    expect([plain.equals(expected), unpacked.equals(expected)]).toEqual([true, true]);
  });

  it('is made once for many ids and times', async () => {
    const answer = written([1, 2, 3], { took: 5 });
    const kept = [plainBody(answer), await gzipBody(answer)];
    for (let round = 0; round < 3; round += 1) {
      const own = ownNow();
      const [plain, packed] = kept.map(({ parts }) => bytes(parts(own), 'latin1'));
      expect([plain!.toString(), gunzipSync(packed!).toString()]).toEqual(
        Array.from({ length: 2 }, () => `{"data":[1,2,3],"_meta":${own},"took":5}}`),
      );
    }
  });
});
