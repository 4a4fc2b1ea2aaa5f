import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../test/support/tree.ts';
import { CsvSlicer } from '../raw/csv-slicer.ts';
import { slicesOf } from '../raw/records.ts';
import { normaliseIsrctn } from './isrctn.ts';

const HEAD =
  'ISRCTN,Basic results,Peer-reviewed publications,Overall trial start,Overall trial end,Record last updated,Overall trial status,Recruitment status,EudraCT number,ClinicalTrials.gov number';
const ROW =
  'ISRCTN12345679,,"2019 Protocol article in https://doi.org/10.1000/a, with ""quotes"" (added 18/03/2022) 2021 Results article in https://pubmed.ncbi.nlm.nih.gov/123/ (added 01/04/2022)",01/10/2021,30/09/2023,01/04/2022,Stopped,No longer recruiting,2019-003404-13,NCT01234567';
const asOf = { asOf: '2022-04-01' };
const read = (text: string) => normaliseIsrctn(Buffer.from(text), '2026-11-23T03:00:00.000Z', asOf);

describe('a row of the CSV export of ISRCTN', () => {
  it('is read with its head line; the number stands for the title that it lacks', () => {
    const record = read(`${HEAD}\n${ROW}`);
    if (!record.ok) throw new Error(record.detail);
    const { registration, identifiers, publications, updated } = record;
    expect(registration).toMatchObject({
      id: 'ISRCTN12345679',
      title: 'ISRCTN12345679',
      officialTitle: null,
      status: 'terminated',
      statusRaw: expect.stringContaining('Stopped'),
      conditions: [],
      dates: {
        start: { date: '2021-10-01' },
        completion: { date: '2023-09-30' },
        lastUpdated: { date: '2022-04-01' },
      },
    });
    expect(updated).toBe('2022-04-01');
    expect(identifiers.map(({ type, value }) => `${type} ${value}`)).toEqual(
      expect.arrayContaining(['eudract 2019-003404-13', 'nct NCT01234567']),
    );
    expect(publications.map(({ doi, pmid }) => doi ?? pmid)).toEqual(['10.1000/a', '123']);
    expect(record.faults).toEqual([]);
  });

  it('is refused by its cells where the head has more', () => {
    expect(read(`${HEAD}\nISRCTN12345679,,`)).toMatchObject({
      ok: false,
      reason: 'not-csv',
      detail: 'the row has 3 cells where the head has 10',
    });
    expect(read(`${HEAD}\n${ROW.replace('ISRCTN12345679', 'ISRCTN1234')}`)).toMatchObject({
      ok: false,
      reason: 'bad-id',
    });
  });
});

describe('the file', () => {
  const cut = (text: string, size: number): string[] => {
    const slicer = new CsvSlicer();
    const bytes = Buffer.from(text);
    const slices = [];
    for (let at = 0; at < bytes.length; at += size) slices.push(...slicer.push(bytes.subarray(at, at + size)));
    slices.push(...slicer.end());
    return slices.map((slice) => (slice.ok ? slice.bytes.toString() : slice.reason));
  };

  it('is cut into rows, each with the head, whatever the chunks; line breaks between quotes belong to a row', () => {
    for (const size of [1, 2, 7, 1000]) {
      expect(cut('\ufeffa,b\r\n1,"x\ny ""z"""\r\n\r\n2,\n', size), String(size)).toEqual([
        'a,b\n1,"x\ny ""z"""',
        'a,b\n2,',
      ]);
    }
    expect(() => cut('a,b\n1,"x', 3)).toThrow('its last row is cut between quotes');
    expect(() => cut('a,b,c\n1,"x, y",z\n2,y', 3)).toThrow('its last row has 2 cells where the head has 3');
    expect(() => cut('a,b,c\n1,2\n\n', 3)).toThrow('its last row has 2 cells where the head has 3');
    // Cut inside the last cell: only the missing line end tells.
    for (const text of ['a,b\r\n1,x\r\n2,NCT05009', 'a,b\r\n1,x\r\n2,y\r'])
      expect(() => cut(text, 3)).toThrow('its last row has no line end, which every row of the export has');
  });

  const real = join(ROOT, '..', 'shared', 'registry-data', 'isrctn', 'export-2022-04.csv.gz');
  it.skipIf(!existsSync(real))('of April 2022 is read whole', async () => {
    let [rows, withNct, publications] = [0, 0, 0];
    for await (const slice of slicesOf(createReadStream(real).pipe(createGunzip()), new CsvSlicer())) {
      const record = read(slice.ok ? slice.bytes.toString() : '');
      if (!record.ok) throw new Error(record.detail);
      rows += 1;
      publications += record.publications.length;
      if (record.identifiers.some(({ type }) => type === 'nct')) withNct += 1;
    }
    expect([rows, withNct]).toEqual([11_072, expect.any(Number)]);
    expect(withNct).toBeGreaterThan(700);
    expect(publications).toBeGreaterThan(9000);
  });
});
