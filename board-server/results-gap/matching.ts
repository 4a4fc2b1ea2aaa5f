import { RESULTS_GAP_MONTHS } from '../../contract/limits/limits.ts';
import {
  type AlsoMatchingRecord,
  CURATED_TOPICS,
  type MatchingRecord,
} from '../../contract/schemas/trials/matching.ts';
import { dayToIso } from '../../snapshot/format/words/dates.ts';
import { countPassed } from './clocks.ts';
import type { MatchMode, Population } from './population.ts';

/** What `_meta` says of the other way to read a topic; counts are of the population on its day. */
export function topicMatching(
  population: Population,
  topic: string | null,
  match: MatchMode,
): { matching?: MatchingRecord; alsoMatching?: AlsoMatchingRecord } {
  const reading = topic === null ? undefined : population.concepts.readings[topic];
  if (topic === null || reading === undefined) return {};
  const { day } = population;
  const passed = (rows: Uint32Array): number => countPassed(population, rows, day, RESULTS_GAP_MONTHS);
  const [words, concepts] = [population.rowsOf(topic, 'words'), population.rowsOf(topic, 'concepts')];
  const heading = reading.concepts.map((concept) => concept.heading).join(', ');
  const year = dayToIso(day).slice(0, 4);
  const because = [{ words: topic, concept: null, heading, source: CURATED_TOPICS, year }];
  if (match === 'words') {
    const added = concepts.filter((row) => !population.hasTopic(row, topic, 'words'));
    return { alsoMatching: { distinct: passed(added), total: passed(concepts), because } };
  }
  return {
    matching: {
      strict: passed(words),
      expanded: passed(concepts),
      strictOnly: passed(words.filter((row) => !population.hasTopic(row, topic, 'concepts'))),
      because,
      topic: { id: topic, ...reading },
      sources: population.concepts.sources,
      leftOut: [],
      respelt: [],
    },
  };
}
