import type { Measure } from '../measure.ts';
import { readChecked, VALUES, valueRow } from '../values.ts';

/** Statuses have a measure of their own. */
const STATUSES = ['status', 'recruitmentStatus'];

export const fieldMapping: Measure = {
  title: 'Field mapping',
  sample:
    '79 records: 40 of the 1,562 held ClinicalTrials.gov studies, drawn at random with a seed; all 17 ISRCTN trials that are held with real text, each in one vintage drawn at random; 22 of the 11,072 rows of the ISRCTN export of April 2022, in which only dates, statuses and identifiers are real.',
  method:
    'Each record is read by the normaliser and compared field by field. Precision counts the values that it gives, recall the values that the record states. A blank that is right counts in n alone. Conditions, interventions and primary endpoints are compared by their number.',
  checked: VALUES.checked,
  async measure({ data }) {
    const read = readChecked(data);
    const fields = Object.keys(VALUES.records[0]!.right).filter((field) => !STATUSES.includes(field));
    const of = (what: string, prefix: string) => ({
      ...valueRow(
        what,
        read.filter(({ record }) => record.file.startsWith(prefix)),
        fields,
      ),
      misses: [],
    });
    return {
      rows: [
        { ...valueRow('all fields', read, fields), misses: [] },
        of('all fields, ClinicalTrials.gov', 'ctgov/'),
        of('all fields, ISRCTN', 'isrctn/'),
        ...fields.map((field) => valueRow(field, read, [field])),
      ],
      remarks: [
        'The reader knew the mapping, so this finds slips of the code and values that it loses, not a rule that reader and code share.',
        'An ISRCTN condition is one text, even where it lists several in one line: the reader counted it as the registry gives it.',
      ],
    };
  },
};
