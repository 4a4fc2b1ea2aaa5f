import { expect, it, test } from 'vitest';
import { study as studyOf } from '../../test/builders/fetch-log.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import type { RawRecord } from '../raw/fetch-log.ts';
import { PayloadSums } from './payload-sums.ts';
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
  texts[800] = texts[801] as string;
  const readBy = async (threads: number): Promise<string[]> => {
    const known = new PayloadSums();
    known.add(payloadSha256(Buffer.from(texts[500] as string)));
    await using reader = new RecordReader({ registry: CTGOV, asOf: '2026-11-20' }, known, threads);
    const batches = await Array.fromAsync(reader.read(rawRecords(texts)));
    const records = batches.flatMap((batch) => batch.records);
    const lines = Buffer.concat(batches.map((batch) => batch.lines)).toString();
    return [...records.map((record) => JSON.stringify(record)), ...lines.split('\n')];
  };
  const reference = await readBy(0);
  // Three records are cut, two equal ones are no study, one is known and one comes twice.
  expect(reference.length).toBe(1200 + (1200 - 7) + 1);
  expect(reference.filter((line) => line.includes('"read":null')).length).toBe(3);
  for (const threads of amountOf({ quick: [2], deep: [1, 2, 3] })) expect(await readBy(threads)).toEqual(reference);
});

it('a day’s change is read without threads, a registry with as many as there are cores, at least one', () => {
  expect(threadsFor(3000)).toBe(0);
  expect(threadsFor(600_000)).toBeGreaterThanOrEqual(1);
});

test('a sum is there after it was added, also when the table grew', () => {
  const sums = new PayloadSums();
  const texts = Array.from({ length: 5000 }, (_, place) => payloadSha256(Buffer.from(`${place}`)));
  expect(texts.map((text) => sums.add(text))).not.toContain(false);
  expect(texts.map((text) => sums.add(text))).not.toContain(true);
});
