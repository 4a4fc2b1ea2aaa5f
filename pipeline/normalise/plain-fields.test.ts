import { expect, test } from 'vitest';
import type { NamedField } from '../../contract/fields/field-shapes.ts';
import type { RegistryField } from '../../contract/fields/field-types.ts';
import { Fields } from './fields.ts';
import { pathsOf, plainValue, sourceOf } from './plain-fields.ts';

const STUDY = Fields.root('clinicaltrials_gov', {
  protocolSection: {
    descriptionModule: { detailedDescription: ' Ice \\> water, ask a.b@c.example ', words: ['A_B', 'N/A', 'A b'] },
    oversightModule: { isFda: true, list: [{ name: 'x' }, { name: 'N/A' }, { name: 'y' }] },
  },
});
const TRIAL = Fields.root('isrctn', {
  trialDescription: { studyHypothesis: { '@lang': 'en', '#text': 'Ice &gt; water' } },
});

function added(name: string, field: Pick<RegistryField, 'type' | 'source'> & Partial<RegistryField>): NamedField {
  return { name, meaning: '', trial: null, ...field } as unknown as NamedField;
}

/** What a line of the table reads. */
function readBoth(field: NamedField): unknown[] {
  return [STUDY, TRIAL].map((record) => plainValue(record, sourceOf(record.registry, field)));
}

test('a line in the table of fields is all that a plain field needs', () => {
  const [ctgov, isrctn] = ['protocolSection.descriptionModule.detailedDescription', 'trialDescription.studyHypothesis'];
  const source = { clinicaltrials_gov: ctgov, isrctn };
  const prose = ['Ice > water, ask [e-mail address left out]', 'Ice > water'];
  expect(readBoth(added('detailedDescription', { type: 'text', source }))).toEqual(prose);
  const module = 'protocolSection.oversightModule';
  const other = (clinicaltrials_gov: string, isrctn: string) => ({ clinicaltrials_gov, isrctn });
  const rows: [NamedField, unknown[]][] = [
    [added('isFda', { type: 'flag', source: other(`${module}.isFda`, 'none') }), [true, null]],
    [added('names', { type: 'texts', source: other(`${module}.list[].name`, 'none: a reason') }), [['x', 'y'], []]],
    [
      added('first', { type: 'text', source: other(`${module}.lacks, else ${module}.list[]`, isrctn) }),
      [null, prose[1]],
    ],
    [
      added('language', { type: 'text', source: other('none', `trial@none, else ${isrctn}@lang; a note`) }),
      [null, 'en'],
    ],
    [
      added('words', {
        ...{ type: 'texts', lowerCase: true },
        source: other('protocolSection.descriptionModule.words[]', 'none'),
      }),
      [['a b'], []],
    ],
  ];
  for (const [field, values] of rows) expect([field.name, readBoth(field)]).toEqual([field.name, values]);
});

test('a field with prose for a source and without a rule is refused', () => {
  expect(pathsOf('the field that decided')).toBeNull();
  const source = { clinicaltrials_gov: 'follows from the count', isrctn: 'none' };
  expect(() => plainValue(STUDY, sourceOf('clinicaltrials_gov', added('odd', { type: 'text', source })))).toThrow(
    'odd has no rule for clinicaltrials_gov',
  );
});
