import { isObject, isStated, type JsonObject, objectsOf, textsOf } from './json.ts';
import { asField } from './one-line.ts';

/** Trials for reading: one line each. Null where the items have another form, as with detail=full. */

export function trialLines(list: unknown): string[] | null {
  const trials = objectsOf(list);
  return trials.every(isListed) ? trials.map(trialLine) : null;
}

function isListed(trial: JsonObject): boolean {
  return typeof trial.canonicalId === 'string' && Array.isArray(trial.ids) && !isObject(trial.sponsor);
}

function trialLine(trial: JsonObject): string {
  const status = [trial.status, trial.recruitmentStatus].filter((one, at, all) => isStated(one) && one !== all[at - 1]);
  const { canonicalId, title = '(no title)', phase, start, enrollment, sponsor } = trial;
  const conflicts = textsOf(trial.conflicts);
  return [
    `${canonicalId} ${textsOf(trial.ids).join(' ')}`,
    title,
    isStated(phase) ? `phase ${phase}` : null,
    status.join(', '),
    isStated(trial.siteStatus) ? `sites there: ${trial.siteStatus}` : null,
    isStated(start) ? `start ${start}` : null,
    isStated(enrollment) ? `n=${enrollment}` : null,
    sponsor,
    textsOf(trial.conditions).join('; '),
    textsOf(trial.interventions).join('; '),
    trial.resultsAvailable === true ? 'has results' : null,
    isStated(trial.daysOverdue) ? `results overdue by ${trial.daysOverdue} days` : null,
    conflicts.length > 0 ? `registries differ on ${conflicts.join(', ')}` : null,
    textsOf(trial.matchedBy).join('; '),
  ]
    .filter((part) => isStated(part) && part !== '')
    .map((part) => asField(String(part)))
    .join(' | ');
}
