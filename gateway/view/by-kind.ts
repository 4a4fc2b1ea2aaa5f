import { changedTrial } from './changes-of-trials.ts';
import { comparison, landscape, trend } from './counts.ts';
import { isObject, type JsonObject, objectOf, objectsOf, stated } from './json.ts';
import { shortened } from './shortened.ts';
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
  // As `patient-model-references` has it.
  'patient-model': ['referenceSnapshot'],
};

/** Answers that are as short as they can be, and descriptions, written to be read as they are. */
const AS_WRITTEN: ReadonlySet<string> = new Set([
  ...['discovery', 'capabilities', 'capability', 'find-tools', 'errors', 'protocol', 'contract', 'graph'],
  ...['curriculum', 'open-questions', 'patient-model', 'patient-model-references', 'private-patient-model-guide'],
  // Counts, in which null means that nobody knows.
  'trials-coverage',
  ...['beta-cell', 'twin-experiment', 'twin-benchmark', 'cure-lab', 'trials-proof', 'snapshot-log'],
]);

const trialPage: Form = (data) => ({ ...data, trials: objectsOf(data.trials).map(listedTrial) });

const FORMS: Readonly<Record<string, Form>> = {
  'trials-search': trialPage,
  'trials-detail': (data) => fittedRecord(data, RECORD_MAX_CHARACTERS),
  'trials-registrations': (data) => ({
    ...data,
    matches: objectsOf(data.matches).map(({ trial, ...match }) => ({
      ...match,
      trial: identifiedTrial(objectOf(trial)),
    })),
  }),
  'trials-landscape': (data) => shortObject(landscape(data)),
  'trials-trend': trend,
  'trials-compare': comparison,
  'trials-changes': ({ between, kept, ...data }) => ({
    between: stated(objectOf(between)),
    // Where the changes that are kept begin matters to a caller who asked for earlier ones.
    ...(objectOf(between).complete === true ? {} : { kept }),
    ...data,
    trials: objectsOf(data.trials).map(changedTrial),
  }),
  'trials-history': ({ entries, ...data }) => ({ ...shortObject(data), entries: objectsOf(entries).map(changedTrial) }),
  assignment: (data) =>
    shortObject({
      ...data,
      alternatives: objectsOf(data.alternatives).map(({ kind, id, title, score }) => ({ kind, id, title, score })),
    }),
  changes: (data) =>
    shortObject({
      ...data,
      next: null,
      // What chains an event to the one before is of use to who keeps all of them.
      events: objectsOf(data.events).map(({ clock: _c, ...event }) => event),
    }),
};

function shortObject(data: JsonObject): JsonObject {
  return shortened(data).value;
}

/** The data of an answer in its concise form. */
export interface ConciseData {
  data: unknown;
  /** Members that were left out whole. */
  leftOut: readonly string[];
  /** Whether anything else was. */
  less: boolean;
}

export function conciseData(id: string, data: unknown): ConciseData {
  if (!isObject(data)) return { data, leftOut: [], less: false };
  const leftOut = (LEFT_OUT[id] ?? []).filter((name) => data[name] !== undefined && data[name] !== null);
  const kept = Object.fromEntries(Object.entries(data).filter(([name]) => !leftOut.includes(name)));
  if (AS_WRITTEN.has(id)) return { data: kept, leftOut, less: false };
  const form = FORMS[id];
  if (form !== undefined) return { data: form(kept), leftOut, less: true };
  const { value, cut } = shortened(kept);
  return { data: value, leftOut, less: cut };
}
