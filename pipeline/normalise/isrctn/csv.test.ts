import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cut as slicesBy, texts } from '../../../test/builders/slices.ts';
import { deep } from '../../../test/support/runner/amount.ts';
import { ROOT } from '../../../test/support/tree.ts';
import { CsvSlicer } from '../../raw/csv.ts';
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
  const cut = (text: string, size: number): string[] => texts(slicesBy(new CsvSlicer(), text, [size]));

  it('is cut into rows, each with the head, whatever the chunks; line breaks between quotes belong to a row', () => {
    for (const size of [1, 2, 7, 1000]) {
      expect(cut('\ufeffa,b\r\n1,"x\ny ""z"""\r\n\r\n2,\n', size), String(size)).toEqual([
        'a,b\n1,"x\ny ""z"""',
        'a,b\n2,',
      ]);
    }
    for (const text of ['a,b\r\n1,x\r\n2,NCT05009', 'a,b\r\n1,x\r\n2,y\r', 'a,b\n1,"x', 'a,b,c\n1,"x, y",z\n2,y'])
      expect(() => cut(text, 3)).toThrow('its last row has no line end, which every row of the export has');
  });

  /** A file whose rows have these days as start, end and last update. */
  const withDays = (...rows: string[]): string =>
    [HEAD, ...rows.map((days, at) => `ISRCTN1234567${at},,,${days},Ongoing,Recruiting,,`), ''].join('\r\n');
  const startsOf = (text: string): unknown[] =>
    cut(text, 50).map((row) => {
      const record = read(row);
      return record.ok ? record.registration.dates.start?.date : record.detail;
    });

  it.each([
    ['the export', withDays('10/01/2021,30/09/2023,01/04/2022'), '2021-01-10'],
    ['ISO days', withDays('2021-10-01,2023-09-30,'), '2021-10-01'],
    ['no days', withDays(',,'), undefined],
  ])('is read where it has %s', (_name, text, start) => {
    expect(startsOf(text)).toEqual([start]);
  });

  const ends = 'Overall trial end';
  it.each([
    ['01/10/2021,30/09/23,', `"${ends}", "30/09/23" is no day as DD/MM/YYYY`],
    ['01/10/2021,09/30/2023,', `"${ends}", "09/30/2023" is no day as DD/MM/YYYY`],
    ['01/10/2021,Oct-14,', `"${ends}", "Oct-14" is no day as DD/MM/YYYY`],
    ['2021-13-10,,', '"Overall trial start", "2021-13-10" is no day as DD/MM/YYYY'],
    ['1/10/2021,09/12/2023,', '"Overall trial start", "1/10/2021" is no day as DD/MM/YYYY'],
  ])('is refused with the column and the value where a row has %s', (row, message) => {
    expect(() => cut(withDays(',,', row), 50)).toThrow(message);
  });

  it('is refused where a column has two forms: days that were written anew may be swapped, the others are as they came', () => {
    expect(() => cut(withDays('2021-01-10,,', '25/10/2021,,'), 50)).toThrow(
      '"Overall trial start", "2021-01-10" and "25/10/2021" are days in two forms',
    );
  });

  it('has a single year that is a slip of the registry: it is no reason to refuse the others', () => {
    const rows = withDays('01/10/0202,,', '13/10/2020,,');
    expect(startsOf(rows)).toEqual([undefined, '2020-10-13']);
    const noted = read(cut(rows, 50)[0] ?? '');
    expect(noted.ok && noted.registration.dateNotes).toEqual(['startDate unreadable: 01/10/0202']);
  });

  const real = join(ROOT, '..', 'shared', 'registry-data', 'isrctn', 'export-2022-04.csv.gz');
  deep.it.skipIf(!existsSync(real))('of April 2022 is read whole', () => {
    let [rows, withNct, publications] = [0, 0, 0];
    for (const slice of slicesBy(new CsvSlicer(), gunzipSync(readFileSync(real)))) {
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
