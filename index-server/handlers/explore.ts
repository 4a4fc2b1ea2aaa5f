import { REGISTRY_IDS } from '../../contract/ids.ts';
import type { EXPLORE_OPERATIONS } from '../../contract/operations/research/twin-explore.ts';
import type { Exploration, ExploreAgeBand, ExploreStage } from '../../contract/schemas/trials/exploration.ts';
import { PHASES, TRIAL_STATUSES } from '../../contract/vocabularies.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import type { ExplorationWords } from '../exploration/words.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import { mix } from '../search/counting/columns.ts';
import { compileFilters, readFilters } from '../search/filters.ts';
import { readListItem } from '../search/hints/held-trial.ts';
import { matchingRows } from '../search/matching.ts';
import { EMPTY, intersect, type RowSet, rowsOf, union } from '../search/row-set.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

const WORDS = 'texts with at least one letter or digit each';

export const exploreHandlers: Handlers<typeof EXPLORE_OPERATIONS, IndexServices> = {
  'twin-explore': ({ query }, context, { holder, sources, explorationWords }, fail) => {
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const found = explore(image, query, explorationWords) ?? refuseParameter('markers', WORDS, fail);
    return {
      data: found,
      meta: trialMeta(manifest, sources, context, false),
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },
};

interface Asked {
  condition: string;
  stage?: ExploreStage | undefined;
  ageBand?: ExploreAgeBand | undefined;
  markers?: readonly string[] | undefined;
  examples: number;
}

/** The fields in which words are searched: those of the free-text search. */
const SEARCHED_IN = ['title', 'officialTitle', 'acronym', 'conditions', 'interventions', 'sponsor'];

const WHY_NULL =
  'Counts of registrations say what was registered, not what works: nothing here could make a score or a plausibility.';

const NOT_HELD = [
  'Stage of disease is no field of either registry; it is read from words, and a trial that does not use them is not found.',
  'Age limits are not held as fields by this index and its eligibility prose is not searched here; most trials in adults never say adult.',
  'A marker is found where a title, a condition or an intervention names it; markers in eligibility criteria or endpoints are not found.',
  'The condition is compared as a whole term; trials that word it otherwise are not counted. Search by words with q to find them.',
];

interface Criterion {
  parameter: Exploration['criteria'][number]['parameter'];
  value: string;
  anyOf: string[];
  rows: RowSet;
}

/**
 * Describes the trials of a condition, and those that meet the other parameters. Null where a marker has no word: it
 * would find every trial.
 */
function explore(image: SnapshotImage, asked: Asked, words: ExplorationWords): Exploration | null {
  const ofCondition = matchingRows(image, compileFilters({ condition: asked.condition }));
  const criteria: Criterion[] = [];
  for (const { anyOf, ...criterion } of criteriaOf(asked, words)) {
    const sets: RowSet[] = [];
    for (const q of anyOf) {
      const filters = readFilters({ q });
      if ('expected' in filters) return null;
      sets.push(matchingRows(image, { ...filters, within: { name: asked.condition, rows: ofCondition } }));
    }
    criteria.push({ ...criterion, anyOf, rows: union(sets, image.trials) });
  }
  const narrowed = narrowedRows(image, ofCondition, criteria);
  return {
    condition: {
      term: asked.condition,
      ...mixOf(image, ofCondition),
      registrations: REGISTRY_IDS.map((registry) => ({
        registry,
        trials: among(image, ofCondition, POSTING.registry + registry).count,
      })),
    },
    criteria: criteria.map(({ rows, ...criterion }) => ({
      ...criterion,
      searchedIn: SEARCHED_IN,
      trials: rows.count,
    })),
    narrowed: mixOf(image, narrowed),
    examples: examplesOf(image, narrowed, asked.examples),
    score: null,
    plausibility: null,
    whyNull: WHY_NULL,
    notHeld: NOT_HELD,
    words: { id: words.id, reviewed: words.reviewed },
  };
}

function criteriaOf({ stage, ageBand, markers = [] }: Asked, words: ExplorationWords): Omit<Criterion, 'rows'>[] {
  const criteria: Omit<Criterion, 'rows'>[] = [];
  if (stage !== undefined) criteria.push({ parameter: 'stage', value: stage, anyOf: words.stage[stage].anyOf });
  if (ageBand !== undefined)
    criteria.push({ parameter: 'ageBand', value: ageBand, anyOf: words.ageBand[ageBand].anyOf });
  for (const marker of markers) criteria.push({ parameter: 'markers', value: marker, anyOf: [marker] });
  return criteria;
}

/** Several markers are alternatives; different parameters must all hold, as in the filters of trials. */
function narrowedRows(image: SnapshotImage, ofCondition: RowSet, criteria: readonly Criterion[]): RowSet {
  const byParameter = Map.groupBy(criteria, ({ parameter }) => parameter);
  const rowsIn = (alternatives: readonly Criterion[]): RowSet[] => alternatives.map(({ rows }) => rows);
  const sets = [...byParameter.values()].map((alternatives) => union(rowsIn(alternatives), image.trials));
  return intersect([ofCondition, ...sets]);
}

function among(image: SnapshotImage, rows: RowSet, key: string): RowSet {
  return intersect([rows, image.posting(key) ?? EMPTY]);
}

function mixOf(image: SnapshotImage, set: RowSet): Exploration['narrowed'] {
  const rows = rowsOf(set);
  return {
    trials: rows.length,
    withResults: among(image, set, `${POSTING.results}true`).count,
    statuses: mix(rows, image.columns.status, TRIAL_STATUSES),
    phases: mix(rows, image.columns.phase, PHASES),
  };
}

/** The members that a record begins with: only ids come before its title. */
const HEAD = /^\{"canonicalId":"([^"]*)".*?"title":(null|"(?:[^"\\]|\\.)*")/s;
const WITHOUT_TITLE = '\u{10ffff}';

/** The first trials by title, then by canonical id; trials without a title come last. */
function examplesOf(image: SnapshotImage, set: RowSet, limit: number): Exploration['examples'] {
  const trials = Array.from(rowsOf(set), (row) => {
    const [, id = '', title = 'null'] = HEAD.exec(image.slice(row, 'head').toString('utf8')) ?? [];
    const shown = JSON.parse(title) as string | null;
    return { row, id, title: shown?.normalize('NFC').toLowerCase() ?? WITHOUT_TITLE };
  });
  trials.sort((a, b) => (a.title === b.title ? (a.id < b.id ? -1 : 1) : a.title < b.title ? -1 : 1));
  return trials.slice(0, limit).map(({ row }) => {
    const { canonicalId, title, status, phase, registrations } = readListItem(image, row);
    const ids = registrations.map(({ id }) => id);
    return { canonicalId, title, status, phase, registrations: ids, url: `/api/v1/trials/${canonicalId}` };
  });
}
