import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairsOf } from '../../test/builders/pairs.ts';
import { recogniseIdentifiers } from './identifiers.ts';
import { repairIdentifiers } from './repaired-identifiers.ts';

// NCT01234571 = 13 x 94967, and 3 x (8+0+4+4) + (9+3+3+6) = 69 for ISRCTN89034346: both pass their check.
test.each(
  pairsOf(`
    SRCTN89034346 = ISRCTN89034346 | SRCTN 89034346 = ISRCTN89034346 | ISRTCN89034346 = ISRCTN89034346
    IRSCTN 890 343 46 = ISRCTN89034346 | ISRCTN 890 343 46 = ISRCTN89034346 | ISRCTN 89O34346 = ISRCTN89034346
    NTC01234571 = NCT01234571 | NCT 0123 4571 = NCT01234571 | NCTO1234571 = NCT01234571
    nct no. 0 1234571 = NCT01234571 | NCT1234571 = NCT01234571 | NCT1234571 (ClinicalTrials.gov) = NCT01234571
    NCT 0123 4571 2008 = NCT01234571
  `),
)('%s reads as %s', (raw, value) => {
  expect(repairIdentifiers(raw).map((identifier) => identifier.value)).toEqual([value]);
});

test.each([
  ['the number as it stands, which needs no repair', 'NCT01234571'],
  ['a number that fails its check, which may be a slip of any kind', 'NCT01234567'],
  ['a slip whose reading fails the rule of 13', 'NTC01234567'],
  ['a lost digit whose reading with a leading zero fails', 'NCT1234567'],
  ['a prefix with a letter lost and a number that fails the ISRCTN check', 'SRCTN89034347'],
  ['a prefix with two letters swapped and a number that fails the ISRCTN check', 'ISRCNT89034347'],
  ['the number of the Iranian registry', 'IRCT89034346'],
  ['two lost digits', 'NCT123457'],
  ['a number below the first that the rule of 13 holds for', 'NTC00000013'],
  ['a placeholder', 'NTC00000000'],
  ['a local code', 'NCT-2007-11-02-1004'],
  ['a local code of eight digits, which is no number of today', 'NCT 2013 0214'],
  ['a longer number', 'NCT200811021017'],
  ['a word', 'ISRCTN pending'],
  ['a part of another word', 'XNTC01234571'],
  ['two readings that both pass: with a leading zero, and with the next digit', 'NCT 0007007 0'],
])('%s is not repaired: %s', (_, raw) => {
  expect(repairIdentifiers(raw)).toEqual([]);
});

test('what is repaired is a number that is recognised as it is written now', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 760_000 }), fc.constantFrom('NTC', 'NCT 0', 'NCTO'), (nth, prefix) => {
      const digits = String(nth * 13).padStart(8, '0');
      const stated = prefix === 'NTC' ? prefix + digits : prefix + digits.slice(1);
      const raw = prefix === 'NCT 0' ? `NCT 0 ${digits.slice(1)}` : stated;
      expect(repairIdentifiers(raw)).toEqual([{ type: 'nct', value: `NCT${digits}` }]);
      expect(recogniseIdentifiers(raw)).toEqual([]);
    }),
    { seed: 20261123 },
  );
});
