import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listOf, pairsOf } from '../../test/builders/pairs.ts';
import {
  numericIdentifier,
  parseIdentifier,
  type RecognisedIdentifier,
  recogniseIdentifiers,
  registryOfIdentifier,
} from './identifiers.ts';

const shown = ({ type, value, suspect }: RecognisedIdentifier) => `${type}:${value}${suspect ? ' suspect' : ''}`;
const read = (raw: string) => recogniseIdentifiers(raw).map(shown);
const parsed = (raw: string) => {
  const identifier = parseIdentifier(raw);
  return identifier === null ? null : shown(identifier);
};

/** Malformed ids found in real records, each with its only right reading; an empty list where the id must be refused. */
const { readings: MALFORMED }: { readings: [raw: string, readings: string[]][] } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../test/truth/sets/malformed-ids.json'), 'utf8'),
);

test.each(MALFORMED)('the malformed id "%s" is read as %j', (raw, readings) => {
  expect(read(raw)).toEqual(readings);
});

describe('further strings of typed id fields', () => {
  test.each(
    pairsOf(`
    NCT00147030, NCT01092637 = nct:NCT00147030, nct:NCT01092637
    NCT00147030; isrctn 15004993 / NCT00147030 = nct:NCT00147030, isrctn:ISRCTN15004993
    nct 00987688 = nct:NCT00987688 | NCT:02140034 = nct:NCT02140034 | NCT ID: 02140034 = nct:NCT02140034
    ＮＣＴ０２１４００３４ = nct:NCT02140034 | https://clinicaltrials.gov/study/NCT02140034 = nct:NCT02140034
    10.1186/ISRCTN15004993 = isrctn:ISRCTN15004993 | ISRCTN : 64254080 = isrctn:ISRCTN64254080
    EUDRACT-2009-012151-23 = eudract:2009-012151-23 | EUDRACT # 2007-005434-37 = eudract:2007-005434-37
    EudraCT-Nr.: 2007-005434-37 = eudract:2007-005434-37 | EUCTR2008-005514-40-GB = eudract:2008-005514-40
    2008-005514-40GB = eudract:2008-005514-40 | 2008-005514-40/3rd = eudract:2008-005514-40
    2008-005514-40-Outside-EU/EEA = eudract:2008-005514-40 | 2013- 004035-77 = eudract:2013-004035-77
    CTIS2020-005891-36-00 = eudract:2020-005891-36 | CTIS2023-505976-31-00 = euct:2023-505976-31
    2023-506674-13-00 = euct:2023-506674-13 | 2023-508118-40-01 = euct:2023-508118-40
    2023-505976-31 = euct:2023-505976-31 | EU CT Number: 2023-505976-31 = euct:2023-505976-31
    U1111 1139 2991 = utn:U1111-1139-2991 | ACTRN12605000123456p = actrn:ACTRN12605000123456
    drks00012345 = drks:DRKS00012345 | JPRN-UMIN000003856 = umin:UMIN000003856
    jRCT2031230085 = jrct:jRCT2031230085 | JPRN-jRCTs031180001 = jrct:jRCTs031180001
    PACTR201105000291301 = pactr:PACTR201105000291301 | ChiCTR2500095990 = chictr:ChiCTR2500095990
    ChiCTR1800012345 = chictr:ChiCTR1800012345 | ChiCTR-TRC-10001234 = chictr:ChiCTR-TRC-10001234
    CTRI/2009/091/000969 = ctri:CTRI/2009/091/000969 | IRCT20080901001165N12 = irct:IRCT20080901001165N12
    KCT0001234 = kct:KCT0001234 | NTR1234 = ntr:NTR1234 | NL-OMON12345 = ntr:NL-OMON12345
    IRAS ID 223780 = iras:223780 | CPMS: 57449, RG-0367-23 = cpms:57449
    NCT00007001 = nct:NCT00007001 suspect | NCT00006999 = nct:NCT00006999
    NCT01234567 = nct:NCT01234567 suspect
  `),
  )('%s is read as %s', (raw, readings) => {
    expect(read(raw).join(', ')).toBe(readings);
  });
});

test('other dashes than the hyphen part a number, a line break parts two', () => {
  expect(read('2013\u2212004035\u2013 77')).toEqual(['eudract:2013-004035-77']);
  expect(read('2013\u00ad004035\u00ad77')).toEqual(['eudract:2013-004035-77']);
  expect(read('NCT\n02140034')).toEqual([]);
});

describe('what could be something else is refused', () => {
  test.each(
    listOf(`
    2101-022119-20 | 1999-022119-20 | 2003-022119-20 | 2014-00185-40 | 201-20016-54 | 2007-700341-13
    2020-505976-31 | 2013-004035-07 | 2013-004035-77-123 | 200600609024 | 2013-004035-77AB | 2013-004035-77ß
    ISRCTN200600609024 | ISRCTN8737 0545 version 2.0, 8th june 2015 | ISRCTN4256 2019 | ISRCTN pending
    NCT 1504997 | NCT0272966 | PAINCT02 | XNCT02140034 | NCT021400345 | NCT02140034A | 82300372; 82270406
    223780 | 57449 | CIV-ID 23-12-045096 | NL56580.091.16 | ID-RCB 2021-A01344-37 | 15/SC/0004 | 06/16769748
    1 U01-HL-087318-01 (Project 1) | R01HL128526 | UL1RR024150 | PNRR-POC-2023-12377319 | PID2023-148704OB-C22
    see NTR1234 and others | University of Iowa | Heart Foundation Grant | 01
  `),
  )('%s', (raw) => {
    expect(read(raw)).toEqual([]);
  });
});

describe('dummy numbers are dropped', () => {
  test.each(
    listOf(`
    NCT00000000 | NCT99999999 | NCT12345678 | nct 87654321 | ISRCTN00000000 | ISRCTN 99999999
    U1111-0000-0000 | 2013-000000-10 | DRKS00000000
  `),
  )('%s', (raw) => {
    expect(read(raw)).toEqual([]);
    expect(parseIdentifier(raw)).toBeNull();
  });
});

describe('an id that a user types', () => {
  // Tried from each sign anew it would not end within the patience of any test.
  test('is none where a million signs stand before a letter', () => {
    expect(parseIdentifier(`NCT${'.'.repeat(1_000_000)}x`)).toBeNull();
  });

  test.each([
    ['nct02140034', 'nct:NCT02140034'],
    [' NCT 0214 0034 ', 'nct:NCT02140034'],
    ['(NCT01490086.)', 'nct:NCT01490086'],
    ['isrctn 1500 4993', 'isrctn:ISRCTN15004993'],
    ['10.1186/ISRCTN15004993', 'isrctn:ISRCTN15004993'],
    ['https://doi.org/10.1186/isrctn15004993', 'isrctn:ISRCTN15004993'],
    ['https://www.isrctn.com/ISRCTN15004993', 'isrctn:ISRCTN15004993'],
    ['https://clinicaltrials.gov/study/NCT02140034', 'nct:NCT02140034'],
    ['2008 - 005514 - 40', 'eudract:2008-005514-40'],
    ['NCT01234567', 'nct:NCT01234567 suspect'],
    ['aspirin', null],
    ['NCT02140034, NCT01092637', null],
    ['NCT0214003', null],
  ])('"%s" is %s', (raw, expected) => {
    expect(parsed(raw)).toBe(expected);
  });
});

describe('numbers of the typed ISRCTN fields', () => {
  test.each([
    ['iras', '223780', '223780'],
    ['iras', 'IRAS 223780', '223780'],
    ['iras', 'IRAS ID: 223780', '223780'],
    ['cpms', '57449', '57449'],
    ['cpms', 'CPMS: 57449', '57449'],
    ['iras', '12', null],
    ['iras', '0223780', null],
    ['iras', 'Nil known', null],
    ['cpms', '57449, 57450', null],
  ] as const)('%s "%s" is %s', (type, raw, value) => {
    expect(numericIdentifier(type, raw)).toEqual(value === null ? null : { type, value, suspect: false });
  });
});

test('only numbers of the two held registries name a registry', () => {
  expect(registryOfIdentifier('nct')).toBe('clinicaltrials_gov');
  expect(registryOfIdentifier('isrctn')).toBe('isrctn');
  expect(registryOfIdentifier('eudract')).toBeNull();
});

const digits = (count: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{${count - 1}}$`));
const anyId = fc
  .oneof(
    digits(8).map((number) => `NCT${number}`),
    digits(8).map((number) => `ISRCTN${number}`),
    fc.tuple(fc.integer({ min: 2004, max: 2023 }), digits(5), digits(2)).map(([y, n, c]) => `${y}-0${n}-${c}`),
    fc.tuple(fc.integer({ min: 2022, max: 2030 }), digits(5), digits(2)).map(([y, n, c]) => `${y}-5${n}-${c}`),
    fc.tuple(digits(4), digits(4)).map(([a, b]) => `U1111-${a}-${b}`),
    digits(11).map((number) => `ACTRN126${number}`),
    digits(5).map((number) => `DRKS000${number}`),
    digits(5).map((number) => `UMIN0000${number}`),
    digits(10).map((number) => `jRCT${number}`),
    digits(9).map((number) => `jRCTs${number}`),
    digits(13).map((number) => `PACTR20${number}`),
    digits(9).map((number) => `ChiCTR2${number}`),
    digits(8).map((number) => `ChiCTR-TRC-${number}`),
    digits(6).map((number) => `CTRI/2009/091/${number}`),
    digits(14).map((number) => `IRCT${number}N1`),
    digits(5).map((number) => `KCT00${number}`),
  )
  .filter((id) => !/^(?:NCT|ISRCTN)(?:0{8}|9{8}|12345678|87654321)$/.test(id));

test('a normalised value is read as itself, in free strings and as typed by a user', () => {
  fc.assert(
    fc.property(anyId, (id) => {
      expect(recogniseIdentifiers(id).map(({ value }) => value)).toEqual([id]);
      expect(parseIdentifier(id)?.value).toBe(id);
    }),
  );
});

test('case, dash variants and text around an id do not change its value', () => {
  const dash = fc.constantFrom('-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212');
  fc.assert(
    fc.property(anyId, dash, fc.boolean(), (id, sign, lower) => {
      const typed = (lower ? id.toLowerCase() : id).replaceAll('-', sign);
      expect(recogniseIdentifiers(`see: ${typed} (registry).`).map(({ value }) => value)).toEqual([id]);
    }),
  );
});

test('an id is never cut out of a longer run of letters and digits', () => {
  const glue = fc.constantFrom('0', '7', 'K', 'x', 'ß');
  fc.assert(
    fc.property(anyId, glue, fc.boolean(), (id, sign, before) => {
      const longer = before ? `${sign}${id}` : `${id}${sign}`;
      const values = recogniseIdentifiers(longer).map(({ value }) => value);
      expect(values).not.toContain(id);
    }),
    { numRuns: 2000 },
  );
});

test('no string makes the recogniser fail, and what it reads it reads again', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(anyId, fc.string({ unit: 'grapheme', maxLength: 6 }))), (pieces) => {
      for (const { value, type } of recogniseIdentifiers(pieces.join(' '))) {
        if (type === 'iras' || type === 'cpms') continue;
        expect(recogniseIdentifiers(value).map((again) => again.value)).toEqual([value]);
      }
    }),
  );
});
