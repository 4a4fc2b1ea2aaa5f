import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Population } from '../../../board-server/results-gap/population.ts';
import type { Registration } from '../../../snapshot/format/registration.ts';
import { RESULTS_GAP_FILE } from '../../../snapshot/format/results-gap.ts';
import { SERVING_DIR } from '../../../snapshot/format/serving.ts';
import { registration, registryDate } from '../../../test/builders/registration.ts';
import { buildImage } from '../../../test/builders/serving-image.ts';

const NO_DATES = registration('NCT00000000').dates;
const done = (id: string, given: Partial<Registration> = {}): Registration =>
  registration(id, { status: 'completed', studyType: 'interventional', dates: NO_DATES, ...given });

const unposted = (...types: string[]) => ({
  annotationSection: {
    annotationModule: { unpostedAnnotation: { unpostedEvents: types.map((type) => ({ type, date: '2026-01-02' })) } },
  },
});

const REGISTRATIONS = [
  done('NCT00000052', {
    conditions: ['Type 1 Diabetes'],
    dates: { ...NO_DATES, primaryCompletion: registryDate('2024-02'), completion: registryDate('2025-01-01') },
  }),
  done('NCT00000026', { dates: { ...NO_DATES, completion: registryDate('2023-05-06') } }),
  done('NCT00000039'),
  done('NCT00000065'),
  done('NCT00000078', { resultsAvailable: true }),
  done('NCT00000091', { status: 'terminated' }),
  done('NCT00000104', { studyType: 'observational' }),
  done('ISRCTN12345678'),
];

describe('the results-gap file', () => {
  it('holds completed interventional registrations of ClinicalTrials.gov without results, whatever their date', async () => {
    await using built = await buildImage({
      trials: REGISTRATIONS.map((one, place) => ({ canonicalId: `t${place}`, aliases: [], registrations: [one] })),
      identifiers: [],
      links: [],
      relations: [],
      payloads: {
        NCT00000026: unposted('RELEASE', 'RESET'),
        NCT00000039: { protocolSection: { statusModule: { dispFirstSubmitDate: '2025-01-01' } } },
        NCT00000065: unposted('RELEASE', 'UNRELEASE'),
      },
    });
    const path = join(built.snapshotDir, SERVING_DIR, RESULTS_GAP_FILE);
    const population = Population.fromBytes(await readFile(path), path, {
      version: 'v',
      asOf: '2026-11-21',
      identity: '0'.repeat(64),
    });
    expect(population.topicIds).toContain('cystic-fibrosis');
    const common = {
      precision: 'none',
      basis: 'none',
      completionDay: null,
      topics: [],
      topicsByConcepts: [],
      resultsState: 'none',
    };
    const row = (place: number, nctId: string, more: object = {}) => ({
      ...common,
      nctId,
      canonicalId: `t${place}`,
      title: `Trial ${nctId}`,
      ...more,
    });
    const dayOf = (...date: [year: number, month: number, day: number]) => Date.UTC(...date) / 86_400_000;
    const topics = ['type-1-diabetes', 'diabetes'];
    expect(Array.from({ length: population.size }, (_, row) => population.at(row))).toEqual([
      row(1, 'NCT00000026', {
        completionDay: dayOf(2023, 4, 6),
        basis: 'completion',
        precision: 'day',
        resultsState: 'submitted_qc',
      }),
      row(2, 'NCT00000039', { resultsState: 'delayed_certificate' }),
      row(0, 'NCT00000052', {
        completionDay: dayOf(2024, 1, 29),
        basis: 'primary_completion',
        precision: 'month',
        topics,
        topicsByConcepts: topics,
      }),
      row(3, 'NCT00000065'),
    ]);
  });
});
