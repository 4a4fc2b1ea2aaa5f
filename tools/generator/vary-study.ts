import type { Random } from './random.ts';
import type { RecordPlan } from './record-plan.ts';
import { AS_OF } from './templates.ts';
import { addDays, prose, renumbered, shifted } from './vary-text.ts';

/** The parts of a study that are changed here. */
interface Study {
  protocolSection: {
    identificationModule: {
      nctId: string;
      orgStudyIdInfo: { id: string };
      secondaryIdInfos?: { id: string; type?: string; domain?: string }[];
    };
    statusModule: Record<string, unknown> & {
      overallStatus: string;
      studyFirstPostDateStruct: { date: string };
      lastUpdatePostDateStruct: { date: string };
      completionDateStruct?: { date: string };
    };
    descriptionModule: { briefSummary: string; detailedDescription?: string };
    designModule: { enrollmentInfo?: { count: number } };
  };
  resultsSection?: {
    outcomeMeasuresModule: { outcomeMeasures: Record<string, unknown>[] };
    adverseEventsModule?: { otherEvents?: object[] };
  };
  derivedSection: { miscInfoModule: { versionHolder: string } };
}

/** Evenly spaced quantiles of the bytes of a study, without posted results and with them. */
const BYTES = [3200, 5200, 6300, 7200, 8300, 9800, 12_000, 20_000];
const BYTES_WITH_RESULTS = [6000, 12_000, 18_000, 26_000, 40_000, 70_000, 150_000, 640_000];
const LINK = /ISRCTN|NCT\d|EUDRACT|CTIS|U1111/;

/** A study of the template's shape with numbers, dates and, for a real body, a length of its own. */
export function varyStudy(template: string, plan: RecordPlan): string {
  const { random } = plan;
  const text = renumbered(shifted(template, random.below(45)), random);
  const study = JSON.parse(text) as Study;
  identify(study, plan);
  study.derivedSection.miscInfoModule.versionHolder = AS_OF;
  const enrolled = study.protocolSection.designModule.enrollmentInfo;
  if (enrolled && enrolled.count > 0) enrolled.count += random.below(9);
  if (plan.real) lengthen(study, text.length, plan);
  if (plan.change !== null || plan.isNew) updateNextDay(study, plan);
  return JSON.stringify(study);
}

function identify({ protocolSection }: Study, { id, link, random }: RecordPlan): void {
  const own = protocolSection.identificationModule;
  own.nctId = id;
  own.orgStudyIdInfo.id = `SYN-${random.digits(6)}`;
  const others = (own.secondaryIdInfos ?? []).filter((one) => !LINK.test(`${one.id} ${one.type}`));
  if (link.other) others.push({ id: link.other, type: 'OTHER', domain: 'ISRCTN registry' });
  if (link.eudract) others.push({ id: link.eudract, type: 'EUDRACT_NUMBER' });
  if (others.length > 0) own.secondaryIdInfos = others;
  else delete own.secondaryIdInfos;
}

/** Repeats outcome measures and adverse events of posted results, else sentences of the description. */
function lengthen(study: Study, length: number, { random, sentences }: RecordPlan): void {
  const results = study.resultsSection;
  const wanted = random.quantile(results ? BYTES_WITH_RESULTS : BYTES);
  const description = study.protocolSection.descriptionModule;
  const text = Math.max(0, Math.min(wanted - length, 12_000));
  if (description.detailedDescription !== undefined) description.detailedDescription += prose(sentences, text, random);
  else description.briefSummary += prose(sentences, Math.min(text, 4000), random);
  if (!results) return;
  const rest = Math.max(0, wanted - length - text);
  repeat(results.outcomeMeasuresModule.outcomeMeasures, rest * 0.7, random);
  const events = results.adverseEventsModule?.otherEvents;
  if (events) repeat(events, rest * 0.3, random);
}

/** Appends copies of the list's last entry until they come to some bytes. */
function repeat(list: object[], bytes: number, random: Random): void {
  const last = JSON.stringify(list.at(-1));
  for (let added = 0; added + last.length < bytes; added += last.length)
    list.push(JSON.parse(last.replace(/"value":"\d+/g, () => `"value":"${random.between(1, 90)}`)));
}

function updateNextDay({ protocolSection }: Study, { change, isNew }: RecordPlan): void {
  const { statusModule, designModule } = protocolSection;
  const today = addDays(AS_OF, 1);
  statusModule.lastUpdatePostDateStruct.date = today;
  if (isNew) statusModule.studyFirstPostDateStruct.date = today;
  if (change === 'status')
    statusModule.overallStatus = statusModule.overallStatus === 'TERMINATED' ? 'COMPLETED' : 'TERMINATED';
  if (change === 'enrolment')
    designModule.enrollmentInfo = {
      ...designModule.enrollmentInfo,
      count: (designModule.enrollmentInfo?.count ?? 0) + 60,
    };
  if (change === 'dates')
    statusModule.completionDateStruct = { ...statusModule.completionDateStruct, date: addDays(AS_OF, 120) };
}
