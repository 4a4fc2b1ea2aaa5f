import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairsOf } from '../../test/builders/pairs.ts';
import { phaseOf } from './concepts.ts';
import { splitDrugNames } from './drug-names.ts';
import { readCount } from './enrollment.ts';
import { citationDoi, citationYear, publicationIds, readPublicationDetails } from './publications.ts';
import { readDate, sortableInstant } from './values.ts';

describe('dates', () => {
  test.each(
    pairsOf(`
    2023-07 = 2023-07 month | 2023-07-09 = 2023-07-09 day | 2026-07-23T00:00:00.000Z = 2026-07-23 day
    2026-04-07T14:36:48.75938316Z = 2026-04-07 day
  `),
  )('%s reads as %s', (raw, expected) => {
    const [date, precision] = expected.split(' ');
    expect(readDate(raw)).toEqual({ date, precision, type: null });
  });

  test.each(['2023-02-29', '2023-13', '0202-05-01', '2023', '01/04/2022', ''])('%s is no date', (raw) => {
    expect(readDate(raw)).toBeNull();
  });

  test('the registry says whether a date is actual; an unknown word says nothing', () => {
    expect(readDate('2023-07', 'ESTIMATED')?.type).toBe('estimated');
    expect(readDate('2023-07', 'ANTICIPATED')?.type).toBe('estimated');
    expect(readDate('2023-07', 'ACTUAL')?.type).toBe('actual');
    expect(readDate('2023-07', 'MAYBE')?.type).toBeNull();
  });

  test('instants with any number of fractional digits sort by time', () => {
    const instants = [
      '2026-04-07T14:36:48.9Z',
      '2026-04-07T14:36:48.75938316Z',
      '2026-04-07T14:36:48.759Z',
      '2026-04-07',
    ];
    expect(instants.map(sortableInstant).sort()).toEqual([
      '2026-04-07',
      '2026-04-07T14:36:48.759000000Z',
      '2026-04-07T14:36:48.759383160Z',
      '2026-04-07T14:36:48.900000000Z',
    ]);
    expect(sortableInstant('yesterday')).toBe('');
  });

  test('every day of the calendar reads as itself', () => {
    const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const text = date.toISOString().slice(0, 10);
        expect(readDate(text)).toEqual({ date: text, precision: 'day', type: null });
      }),
    );
  });
});

describe('counts', () => {
  test.each([
    ['200', 200, null],
    ['0', 0, null],
    ['3,060', 3060, null],
    ['34.0', 34, null],
    ['99999999', null, 'n 99999999 stands for no number'],
    ['11,111,111', null, 'n 11111111 stands for no number'],
    ['123456', null, 'n 123456 stands for no number'],
    ['99999', 99999, null],
    ['1000000', 1000000, null],
    ['2147483647', null, 'n 2147483647 is larger than any trial'],
    ['-5', null, 'n -5 is no number of people'],
    ['2200 (including pilot phase)', null, 'n 2200 (including pilot phase) is not a whole number'],
    [null, null, 'n is blank'],
  ])('%s people are %s', (raw, count, note) => {
    expect(readCount(raw, 'n')).toEqual({ count, note });
  });
});

describe('phases', () => {
  test.each([
    [[], 'not-stated', null],
    [['NA'], 'not-applicable', 'NA'],
    [['EARLY_PHASE1'], 'early-1', 'EARLY_PHASE1'],
    [['PHASE1', 'PHASE2'], '1-2', 'PHASE1+PHASE2'],
    [['PHASE3', 'PHASE2'], '2-3', 'PHASE3+PHASE2'],
    [['PHASE4'], '4', 'PHASE4'],
    [['PHASE9'], 'not-stated', 'PHASE9'],
  ])('ClinicalTrials.gov %j is %s', (phases, phase, phaseRaw) => {
    expect(phaseOf('clinicaltrials_gov', phases)).toEqual({ phase, phaseRaw });
  });

  test.each([
    [['Phase I/II'], '1-2', 'Phase I/II'],
    [['Phase II/III'], '2-3', 'Phase II/III'],
    [['Phase 0'], 'early-1', 'Phase 0'],
    [['Not Specified'], 'not-stated', 'Not Specified'],
    [['Not Applicable', 'Phase IV'], '4', 'Not Applicable; Phase IV'],
    [['Phase II', 'Phase III'], 'not-stated', 'Phase II; Phase III'],
    [[], 'not-stated', null],
  ])('ISRCTN %j is %s', (phases, phase, phaseRaw) => {
    expect(phaseOf('isrctn', phases)).toEqual({ phase, phaseRaw });
  });
});

describe('drug names', () => {
  test.each([
    ['Aspirin, Colchicine; Omega-3\nPlacebo', ['Aspirin', 'Colchicine', 'Omega-3', 'Placebo']],
    ['Relvar (fluticasone, vilanterol), Budesonide', ['Relvar (fluticasone, vilanterol)', 'Budesonide']],
    ['Vitamin D 1,000 IU, Zinc', ['Vitamin D 1,000 IU', 'Zinc']],
    ['A (b, C', ['A (b', 'C']],
    ['N/A', []],
    ['Aspirin, , aspirin, Aspirin', ['Aspirin', 'aspirin']],
  ])('%j splits outside brackets', (text, names) => {
    expect(splitDrugNames(text)).toEqual(names);
  });

  test('splitting loses no letter or digit', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '1', ',', ';', '(', ')', '\n', 'B'), maxLength: 40 });
    const letters = (value: string) => new Set(value.match(/[a-zA-Z0-9]/g));
    fc.assert(
      fc.property(text, (value) => {
        expect(letters(splitDrugNames(value).join(' '))).toEqual(letters(value));
      }),
    );
  });
});

describe('publications', () => {
  const first = {
    kindRaw: 'Protocol article',
    url: 'http://www.ncbi.nlm.nih.gov/pubmed/21599896',
    citation: '2011 Protocol article in http://www.ncbi.nlm.nih.gov/pubmed/21599896 protocol',
    year: 2011,
  };
  const second = {
    kindRaw: 'Results article',
    url: 'https://doi.org/10.1016/x.2020',
    citation: '2014 Results article in https://doi.org/10.1016/x.2020 results (added 02/04/2020)',
    year: 2014,
  };

  test.each([' ', '\n', '\n\n'])('entries separated by %j are the same entries', (separator) => {
    expect(readPublicationDetails(first.citation + separator + second.citation)).toEqual([first, second]);
  });

  test('an attached file is an entry without address, a free line a citation of no kind', () => {
    expect(
      readPublicationDetails('2019 Funder report results see attached file a.pdf\nSmith J. A trial. Lancet. 2001;1:2'),
    ).toEqual([
      {
        kindRaw: 'Funder report results',
        url: null,
        citation: '2019 Funder report results see attached file a.pdf',
        year: 2019,
      },
      { kindRaw: null, url: null, citation: 'Smith J. A trial. Lancet. 2001;1:2', year: 2001 },
    ]);
  });

  test.each([
    ['https://pubmed.ncbi.nlm.nih.gov/18547419/', '18547419', null],
    ['http://www.ncbi.nlm.nih.gov/pubmed/24500157', '24500157', null],
    ['https://dx.doi.org/10.1177%2F1363461520938917', null, '10.1177/1363461520938917'],
    ['https://doi.org/10.1016/S0140-6736(20)31180-6', null, '10.1016/S0140-6736(20)31180-6'],
    ['https://www.thelancet.com/x', null, null],
  ])('%s names pmid %s and doi %s', (url, pmid, doi) => {
    expect(publicationIds(url)).toEqual({ pmid, doi });
  });

  test('a citation gives its stated DOI and its year of publication, not a year of its title', () => {
    const citation = 'Smith J. Care since 1999 in trials. Biosci Rep. 2020 May 29;40(5):B1. doi: 10.1042/BSR20194030.';
    expect(citationDoi(citation)).toBe('10.1042/BSR20194030');
    expect(citationYear(citation)).toBe(2020);
    expect(citationDoi('No doi')).toBeNull();
  });
});
