import { expect, it, test } from 'vitest';
import { study as studyOf } from '../../test/builders/fetch-log.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import type { RawRecord } from '../raw/fetch-log.ts';
import { RecordReader, threadsFor } from './read-records.ts';
import { payloadSha256 } from './record.ts';

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

test('records and their order are the same on threads as on none', async () => {
  const texts = Array.from({ length: 1200 }, (_, place) => study(place + 1, `Title ${place} é`));
  for (const place of [0, 299, 1199]) texts[place] = '';
  for (const place of [7, 470]) texts[place] = '{"n":1}';
  const known = new Map([[payloadSha256(Buffer.from(texts[500] as string)), {}]]);
  const readBy = async (threads: number): Promise<string[]> => {
    await using reader = new RecordReader({ registry: CTGOV, asOf: '2026-11-20' }, known, threads);
    const records = (await Array.fromAsync(reader.read(rawRecords(texts), 5))).flat();
    return records.map((record) => JSON.stringify(record));
  };
  const reference = await readBy(0);
  expect(reference.length).toBe(1200);
  for (const threads of amountOf({ quick: [2], deep: [1, 2, 3] })) expect(await readBy(threads)).toEqual(reference);
});

it('a day’s change is read without threads, a registry with as many as there are cores, at least one', () => {
  expect(threadsFor(3000)).toBe(0);
  expect(threadsFor(600_000)).toBeGreaterThanOrEqual(1);
});
