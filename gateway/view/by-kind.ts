import { changedTrial } from './changes-of-trials.ts';
import { comparison, landscape, trend } from './counts.ts';
import { cutName } from './cut-text.ts';
import { isObject, isStated, type JsonObject, objectOf, objectsOf, stated } from './json.ts';
import { FINGERPRINTS, shortened } from './shortened.ts';
import { fittedRecord, identifiedTrial, listedTrial } from './trials.ts';

/** The concise form of each kind of answer, by operation; all others are shortened by one rule. */

type Form = (data: JsonObject) => JsonObject;

/** Characters of a record's data: 1,200 tokens less those of `_meta` and of the next calls. */
const RECORD_MAX_CHARACTERS = 4_150;

/**
 * Members that are left out: explanations of a surface that are equal in each of its answers, checksums of files, and what another
 * operation answers. A reader names one in `fields`.
 */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'claims-list': ['howToClaim', 'stateMeaning'],
  'threads-list': ['howToPost'],
  findings: ['howToSubmit', 'howToReview', 'statusMeaning'],
  council: ['procedure', 'protectedSurfaces', 'voteChoices', 'discuss'],
  'cure-lab-evidence': ['howToSubmit'],
  'cure-lab-hypotheses': ['howToPropose', 'stateMeaning'],
  ladders: ['howToPublish', 'grammar', 'stateMeaning'],
  rungs: ['howToSubmit'],
  methods: ['howToMint', 'howToReportUse', 'stateMeaning'],
  'dead-ends': ['howToRegister', 'howToOverturn', 'stateMeaning', 'whyItStoppedMeaning', 'blocksNobody'],
  assignment: ['weights', 'observed', 'catchingUp', 'staying', 'writing', 'budget'],
  hello: ['budget'],
  snapshot: ['tables', 'serving', 'files'],
  // The guide has them, and those of the dataset follow from it.
  'beta-cell-run': ['rules', 'limits'],
  // As `patient-model-references` has it.
  'patient-model': ['referenceSnapshot'],
};

/** Answers that are as short as they can be, and descriptions, written to be read as they are. */
const AS_WRITTEN: ReadonlySet<string> = new Set([
  ...['discovery', 'capabilities', 'capability', 'errors', 'protocol', 'contract', 'graph'],
  ...['curriculum', 'open-questions', 'patient-model', 'patient-model-references', 'private-patient-model-guide'],
  // Counts, in which null means that nobody knows.
  'trials-coverage',
  ...['beta-cell', 'twin-experiment', 'twin-benchmark', 'cure-lab', 'trials-proof', 'snapshot-log'],
  ...['twin-experiment-run', 'twin-benchmark-run'],
]);

/** Weeks between the points of a curve that are shown: a quarter of a year. */
const SHOWN_WEEKS = 13;
const DATASET_TEXT_CHARACTERS = 120;

/** A run without its data, which the fit has visit by visit, and with each curve once a quarter. */
function betaCellRun({ dataset, planner, replay, ...run }: JsonObject): JsonObject {
  const { arms: _, ...about } = objectOf(dataset);
  const { input: _input, ...proof } = objectOf(replay);
  const { curve, ...plan } = objectOf(planner);
  const shown = objectsOf(curve).filter(({ week }) => Number(week) % SHOWN_WEEKS === 0);
  const texts = Object.entries(about).map(([name, value]) => [
    name,
    typeof value === 'string' ? cutName(value, DATASET_TEXT_CHARACTERS) : value,
  ]);
  return {
    ...run,
    dataset: Object.fromEntries(texts),
    planner: isObject(planner) ? { ...plan, curve: shown } : null,
    replay: proof,
  };
}

const trialPage: Form = (data) => ({ ...data, trials: objectsOf(data.trials).map(listedTrial) });

const FORMS: Readonly<Record<string, Form>> = {
  'beta-cell-run': betaCellRun,
  'trials-search': trialPage,
  'trials-detail': (data) => fittedRecord(data, RECORD_MAX_CHARACTERS),
  'trials-registrations': (data) => ({
    ...data,
    matches: objectsOf(data.matches).map(({ trial, ...match }) => ({
      ...match,
      trial: identifiedTrial(objectOf(trial)),
    })),
  }),
  'trials-landscape': (data) => shortened(landscape(data)),
  'trials-trend': trend,
  'trials-compare': comparison,
  'trials-changes': ({ between, kept, ...data }) => ({
    between: stated(objectOf(between)),
    // Where the changes that are kept begin matters to a caller who asked for earlier ones.
    ...(objectOf(between).complete === true ? {} : { kept }),
    ...data,
    trials: objectsOf(data.trials).map(changedTrial),
  }),
  'trials-history': ({ entries, ...data }) => ({ ...shortened(data), entries: objectsOf(entries).map(changedTrial) }),
  assignment: (data) =>
    shortened({
      ...data,
      alternatives: objectsOf(data.alternatives).map(({ kind, id, title, score }) => ({ kind, id, title, score })),
    }),
  changes: (data) =>
    shortened({
      ...data,
      next: null,
      // What chains an event to the one before is of use to who keeps all of them.
      events: objectsOf(data.events).map(({ clock: _c, ...event }) => event),
    }),
};

/** The data of an answer in its concise form. */
export interface ConciseData {
  data: unknown;
  /** Names by which `fields` brings what was left out or cut. */
  leftOut: readonly string[];
}

export function conciseData(id: string, data: unknown): ConciseData {
  if (!isObject(data)) return { data, leftOut: [] };
  const leftOut = (LEFT_OUT[id] ?? []).filter((name) => data[name] !== undefined && data[name] !== null);
  const kept = Object.fromEntries(Object.entries(data).filter(([name]) => !leftOut.includes(name)));
  if (AS_WRITTEN.has(id)) return { data: kept, leftOut };
  const short = FORMS[id]?.(kept) ?? shortened(kept);
  return { data: short, leftOut: [...leftOut, ...fieldsWithMore(kept, short).slice(0, FIELDS_NAMED)] };
}

/** More names would cost more than they tell. */
const FIELDS_NAMED = 3;

/** Fields of the data, or of the items of its lists, that the short form shortens; of a list its first item tells. */
function fieldsWithMore(whole: JsonObject, short: JsonObject): string[] {
  const names = Object.entries(whole).flatMap(([name, value]) => {
    const [item] = objectsOf(value);
    const [shown] = objectsOf(short[name]);
    if (item === undefined || shown === undefined) return hasLess(value, short[name]) ? [name] : [];
    return namesOf(item).filter((inner) => !Object.hasOwn(whole, inner) && hasLess(item[inner], shown[inner]));
  });
  return [...new Set(names)];
}

/** Nobody asks for a fingerprint to read on. */
const namesOf = (object: JsonObject): string[] => Object.keys(object).filter((name) => !FINGERPRINTS.has(name));

function hasLess(whole: unknown, short: unknown): boolean {
  if (!isStated(whole)) return false;
  if (isObject(whole) && isObject(short)) return namesOf(whole).some((name) => hasLess(whole[name], short[name]));
  if (Array.isArray(whole) && Array.isArray(short)) {
    return whole.length > short.length || hasLess(whole[0], short[0]);
  }
  return typeof whole === 'object' || typeof whole === 'string' ? whole !== short : short === undefined;
}
