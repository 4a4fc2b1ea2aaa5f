import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { study as studyOf } from '../../../test/builders/fetch-log.ts';
import { amountOf } from '../../../test/support/runner/amount.ts';
import type { RawRecord } from '../../raw/fetch-log.ts';
import { payloadSha256 } from '../record.ts';
import { BatchReader, threadsFor } from './batch-reader.ts';
import { mayHold, sharedHashes } from './known-payloads.ts';

const CTGOV = 'clinicaltrials_gov';

function study(number: number, title: string): string {
  const references = [{ pmid: String(number), citation: `Citation ${title}` }];
  return studyOf(number, title, '2026-01-01', { referencesModule: { references } });
}

async function* rawRecords(texts: readonly string[]): AsyncGenerator<RawRecord> {
  for (const [place, text] of texts.entries()) {
    if (text === '') {
      const refused = { reason: 'not-json', detail: 'cut', excerpt: `record ${place}` } as const;
      yield { ok: false, registry: CTGOV, file: 'f', ...refused };
    } else
      yield { ok: true, registry: CTGOV, payload: Buffer.from(text), file: 'f', receivedAt: '2026-11-20T03:30:00Z' };
  }
}

test('records, lines and their order are the same on threads as on none', async () => {
  const texts = Array.from({ length: 1200 }, (_, place) => study(place + 1, `Title ${place} é`));
  for (const place of [0, 299, 1199]) texts[place] = '';
  for (const place of [7, 470]) texts[place] = '{"n":1}';
  const known = new Map([[payloadSha256(Buffer.from(texts[500] as string)), {}]]);
  const readBy = async (threads: number): Promise<string[]> => {
    await using reader = new BatchReader({ registry: CTGOV, asOf: '2026-11-20' }, known, threads);
    const records = (await Array.fromAsync(reader.read(rawRecords(texts), 5))).flat();
    return records.map((record) => {
      if (!('payload' in record)) return JSON.stringify(record);
      const { payload, lines, ...rest } = record;
      return JSON.stringify([rest, String(payload), lines?.map((line) => Buffer.from(line).toString())]);
    });
  };
  const reference = await readBy(0);
  expect(reference.length).toBe(1200);
  for (const threads of amountOf({ quick: [2], deep: [1, 2, 3] })) expect(await readBy(threads)).toEqual(reference);
});

it('a payload whose shortened hash is that of a known one is read all the same', async () => {
  const text = study(1, 'One');
  const sha256 = payloadSha256(Buffer.from(text));
  const alike = `${sha256.slice(0, 16)}${'0'.repeat(48)}`;
  for (const [known, kind] of [[alike, 'read'] as const, [sha256, 'known'] as const]) {
    await using reader = new BatchReader({ registry: CTGOV, asOf: '2026-11-20' }, new Map([[known, {}]]), 1);
    const batches = await Array.fromAsync(reader.read(rawRecords([text]), 1));
    expect(batches.flat().map((record) => record.kind)).toEqual([kind]);
  }
});

it('a hash is found among the shared ones where it is one of them', () => {
  const sha256 = fc.integer({ min: 0, max: 40 }).map((number) => payloadSha256(Buffer.from(String(number))));
  fc.assert(
    fc.property(fc.uniqueArray(sha256), sha256, (held, wanted) => {
      expect(mayHold(sharedHashes(held, held.length), wanted)).toBe(held.includes(wanted));
    }),
  );
});

it('a day’s change is read without threads, a registry with as many as there are cores, at least one', () => {
  expect(threadsFor(3000)).toBe(0);
  expect(threadsFor(600_000)).toBeGreaterThanOrEqual(1);
});
