import type { TrialStatus } from '../../../snapshot/format/registration.ts';
import type { Measure, Row } from '../measure.ts';
import { content, ISRCTN_EXPORT, isrctnPayloads, readIsrctn } from '../real-records.ts';
import { readChecked, VALUES, valueRow } from '../values.ts';

/** The newest day that the export states; it was made within the days after. */
const EXPORT_DAY = '2022-04-01';
const EXPORT_CSV = 'isrctn/export-2022-04.csv.gz';

/** The registry's own words for the overall status, as a reader translates them. */
const WORDS: Record<string, TrialStatus> = {
  Completed: 'completed',
  Ongoing: 'running',
  Stopped: 'terminated',
  Suspended: 'suspended',
  Deferred: 'suspended',
};

interface Judged {
  id: string;
  /** The registry's word. */
  word: string;
  found: TrialStatus;
}

function exportStatuses(data: string): Judged[] {
  const words = new Map<string, string>();
  for (const line of content(data, EXPORT_CSV).split('\n')) {
    const word = new RegExp(`,\\d\\d/\\d\\d/\\d{4},(${Object.keys(WORDS).join('|')}),`).exec(line)?.[1];
    if (word !== undefined) words.set(line.slice(0, 'ISRCTN'.length + 8), word);
  }
  return isrctnPayloads(data, ISRCTN_EXPORT).map((payload) => {
    const { id, status } = readIsrctn(payload, EXPORT_DAY).registration;
    const word = words.get(id);
    if (word === undefined) throw new Error(`${EXPORT_CSV} has no status of ${id}`);
    return { id, word, found: status };
  });
}

function statusRow(what: string, judged: readonly Judged[]): Row {
  const isRight = ({ word, found }: Judged) => WORDS[word] === found;
  const hits = judged.filter(isRight).length;
  return {
    what,
    n: judged.length,
    precision: { hits, of: judged.filter(({ found }) => found !== 'unknown').length },
    recall: { hits, of: judged.length },
    misses: judged
      .filter((one) => !isRight(one))
      .map(({ id, word, found }) => ({ id, why: `${word} at the registry, ${found} here` })),
  };
}

export const statuses: Measure = {
  title: 'Statuses',
  sample:
    'The 79 records of the field mapping, and all 11,072 rows of the ISRCTN export of April 2022, whose CSV form states the status that the registry’s site showed.',
  method: `Status and recruitment status of each record, as the normaliser gives them, are compared with what a reader wrote down, and of the export with the registry's own word. The export is read as of ${EXPORT_DAY}, the newest day that it states.`,
  checked: VALUES.checked,
  async measure({ data }) {
    const read = readChecked(data);
    const studies = read.filter(({ record }) => record.file.startsWith('ctgov/'));
    const trials = read.filter(({ record }) => record.file.startsWith('isrctn/'));
    const judged = exportStatuses(data);
    const fromDates = judged.filter(({ word }) => word === 'Completed' || word === 'Ongoing');
    return {
      rows: [
        valueRow('status, ClinicalTrials.gov, by a reader', studies, ['status']),
        valueRow('recruitment status, ClinicalTrials.gov, by a reader', studies, ['recruitmentStatus']),
        valueRow('status, ISRCTN, by a reader', trials, ['status']),
        valueRow('recruitment status, ISRCTN, by a reader', trials, ['recruitmentStatus']),
        statusRow('status, ISRCTN export, by the registry', judged),
        { ...statusRow('of these, derived from dates alone', fromDates), misses: [] },
      ],
      remarks: [
        'The XML form of the export has the overrides Stopped, Suspended and Deferred from the same column as the CSV form, so that only the rows derived from dates alone test the derivation.',
        'The export was made a few days after the newest day that it states: trials that ended on those days are completed at the registry and still run here.',
      ],
    };
  },
};
