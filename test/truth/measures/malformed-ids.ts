import { readFileSync } from 'node:fs';
import { recogniseIdentifiers } from '../../../snapshot/format/identifiers.ts';
import { repairIdentifiers } from '../../../snapshot/format/repaired-identifiers.ts';
import { type Checked, compared, type Measure } from '../measure.ts';

interface Readings {
  checked: Checked;
  /** A text and its only right readings, as `type:value`. */
  readings: [raw: string, right: string[]][];
}

const SET: Readings = JSON.parse(readFileSync(new URL('../sets/malformed-ids.json', import.meta.url), 'utf8'));

function readingsOf(raw: string): string[] {
  return [...recogniseIdentifiers(raw), ...repairIdentifiers(raw)].map(({ type, value }) => `${type}:${value}`);
}

export const malformedIds: Measure = {
  title: 'Dedup: malformed ids',
  sample: 'All 65 malformed ids of `pairs/malformed-ids.csv`, collected from id fields of real records, not drawn.',
  method:
    'Each text is read as the text of an id field, with repair; each identifier read is compared with the right one.',
  checked: SET.checked,
  async measure() {
    const found = new Set(SET.readings.flatMap(([raw]) => readingsOf(raw).map((reading) => `${raw} as ${reading}`)));
    const right = new Set(SET.readings.flatMap(([raw, readings]) => readings.map((reading) => `${raw} as ${reading}`)));
    return { rows: [{ what: 'identifiers read', n: SET.readings.length, ...compared(found, right) }], remarks: [] };
  },
};
