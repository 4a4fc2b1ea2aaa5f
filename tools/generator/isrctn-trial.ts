import { type Day, isoDay } from './calendar.ts';
import { isrctnId, pmid } from './ids.ts';
import { drawFunder, drawPerson, type Organisation } from './organisations.ts';
import type { IsrctnPlant } from './planted.ts';
import * as prose from './prose.ts';
import { Random } from './random.ts';
import { british } from './spelling.ts';
import { inBritish, STREAM, type Trial } from './trial.ts';
import { attributes, element, escapeXml, optional } from './xml.ts';

export interface IsrctnInput {
  seed: number;
  index: number;
  asOf: Day;
  real: boolean;
  trial: Trial;
  plant: IsrctnPlant;
}

interface Parts extends IsrctnInput {
  random: Random;
  body: Random;
  /** Eight digits, as the record's own element has them. */
  digits: string;
  contactId: string;
  sponsorId: string;
  funderId: string;
}

const FUNCTIONS = ' xmlns:ssb="http://www.67bricks.com/isrctn/functions"';

/** One `<fullTrial>` in the current API format: the trial, then the parties that it points to. */
export function renderTrial(input: IsrctnInput): string {
  const random = new Random(input.seed, STREAM.isrctn, input.index);
  const body = new Random(input.seed, STREAM.isrctnBody, input.index);
  const digits = (input.plant.isrctn ?? isrctnId(input.plant.olderVersionOf ?? input.index)).replace('ISRCTN', '');
  const ids = { contactId: random.uuid(), sponsorId: random.uuid(), funderId: random.uuid() };
  const parts: Parts = { ...input, ...ids, trial: inBritish(input.trial), random, body, digits };
  const { trial } = parts;
  const assigned = `${isoDay(trial.firstPosted)}T00:00:00.000Z`;
  // The registry writes 3 to 9 fractional digits.
  const updated = `${isoDay(trial.lastUpdated)}T${10 + random.below(10)}:${10 + random.below(50)}:${10 + random.below(50)}.${random.digits(random.pick([3, 6, 8, 9]))}Z`;
  const inner = [
    `<isrctn dateAssigned="${assigned}">${digits}</isrctn>`,
    description(parts),
    externalRefs(parts),
    design(parts),
    participants(parts),
    conditions(trial),
    interventions(parts),
    results(parts),
    parties(parts),
  ].join('');
  const head = attributes({
    lastUpdated: updated,
    // Never falls from one day to the next, as at the registry.
    version: String(1 + Math.max(0, Math.floor((trial.lastUpdated - trial.firstPosted) / 30))),
    isPublished: 'true',
    publicIdentifierType: 'isrctn',
    publicIdentifierCanonical: `ISRCTN${digits}`,
    publicIdentifierDateAssigned: assigned,
  });
  return `<fullTrial><trial${head}>${inner}</trial>${contact(parts)}${sponsor(parts.sponsorId, trial.sponsor)}${funder(parts)}</fullTrial>`;
}

function description({ trial, plant, random, body, real }: Parts): string {
  const title = british(prose.briefTitle(trial, new Random(trial.briefSeed, 0, 0)));
  const mention = plant.mention ? ` ${plant.mention}` : '';
  const plain = `Background and study aims\n${british(prose.summary(trial, body))}${mention}\n\nWho can participate?\n${british(prose.paragraphs(body, real ? body.between(6, 40) : 1))}`;
  const { measure, timeFrame } = prose.outcome(body);
  const structured = random.chance(0.25);
  const outcome = `<outcomeMeasure id="${random.uuid()}">${element('variable', british(measure))}${element('method', 'Case report form')}${element('timepoints', timeFrame)}</outcomeMeasure>`;
  const secondary = real
    ? Array.from({ length: body.between(2, 12) }, (_, place) => `${place + 1}. ${prose.outcome(body).measure}`).join(
        '\n',
      )
    : british(prose.outcome(body).measure);
  return [
    '<trialDescription thirdPartyFilesAcknowledgement="false">',
    element('acknowledgment', 'Synthetic record: not a real trial'),
    element('title', title),
    element('scientificTitle', british(prose.officialTitle(trial, body))),
    element('acronym', trial.acronym ?? ''),
    element('studyHypothesis', british(prose.summary(trial, body))),
    element('plainEnglishSummary', random.chance(0.8) ? plain : mention.trim()),
    structured
      ? `<primaryOutcomes>${outcome}</primaryOutcomes><primaryOutcome/>`
      : `<primaryOutcomes/>${element('primaryOutcome', `${british(measure)} at ${timeFrame}`)}`,
    `<secondaryOutcomes/>${element('secondaryOutcome', random.chance(0.9) ? secondary : '')}`,
    element('ethicsApprovalRequired', random.chance(0.5) ? 'Ethics approval required' : 'Old ethics approval format'),
    optional(random.chance(0.45), () =>
      element('ethicsApproval', `Fictitious Research Ethics Committee, ${isoDay(trial.firstPosted)}`),
    ),
    '</trialDescription>',
  ].join('');
}

/** Shares of the CSV export: of 5,401 non-empty ClinicalTrials.gov fields 3,921 say "Nil known". */
const NO_NUMBER = ['Nil known', 'Nil known', 'Nil known', 'Nil Known', 'N/A', 'Not applicable'];

function externalRefs({ plant, random, digits }: Parts): string {
  const nct = plant.clinicalTrialsGovNumber ?? (random.chance(0.18) ? random.pick(NO_NUMBER) : '');
  const eudract =
    plant.eudraCTNumber ??
    (random.chance(0.12)
      ? 'Nil known'
      : random.chance(0.08)
        ? `20${random.between(10, 21)}-0${random.between(10_000, 39_999)}-${random.between(10, 99)}`
        : '');
  const cpms = random.chance(0.4) ? random.digits(5) : null;
  const protocol =
    plant.protocolSerialNumber ?? (cpms ? `CPMS: ${cpms}` : random.chance(0.6) ? `SYN-${random.digits(5)}` : '');
  const iras = plant.irasNumber ?? (random.chance(0.25) ? `9${random.digits(5)}` : '');
  const numbers = [...(plant.secondaryNumbers ?? [])];
  if (cpms && plant.protocolSerialNumber === undefined) numbers.push({ type: 'cpms', value: cpms });
  const list = numbers
    .map(
      ({ type, value }) =>
        `<secondaryNumber${attributes({ id: random.uuid(), numberType: type })}>${escapeXml(value)}</secondaryNumber>`,
    )
    .join('');
  return [
    '<externalRefs>',
    element('doi', `10.1186/ISRCTN${digits}`),
    element('eudraCTNumber', eudract),
    element('irasNumber', iras),
    element('clinicalTrialsGovNumber', nct),
    element('protocolSerialNumber', protocol),
    `<secondaryNumbers>${list}</secondaryNumbers>`,
    '</externalRefs>',
  ].join('');
}

const instant = (day: Day): string => `${isoDay(day)}T00:00:00.000Z`;

/** The registry has no status field: what ended early carries an override, everything else follows from its dates. */
function overrideOf({ trial, plant }: Parts): string | null {
  if (plant.stopped || trial.status === 'TERMINATED' || trial.status === 'WITHDRAWN') return 'Stopped';
  return trial.status === 'SUSPENDED' ? 'Suspended' : null;
}

function design(parts: Parts): string {
  const { trial, random, body } = parts;
  const interventional = trial.studyType === 'INTERVENTIONAL';
  const override = overrideOf(parts);
  const blinded = trial.design.blinded ? 'Blinded (masking used)' : 'Open (masking not used)';
  const allocation = trial.design.randomised ? 'Randomized controlled trial' : 'Non-randomized controlled trial';
  return [
    '<trialDesign>',
    element(
      'studyDesign',
      random.chance(0.75) ? `${trial.design.randomised ? 'Randomised' : 'Non-randomised'} study` : '',
    ),
    element('primaryStudyDesign', interventional ? 'Interventional' : 'Observational'),
    optional(
      interventional && random.chance(0.2),
      () =>
        `<interventionalTrialDesign>${element('allocation', allocation)}${element('masking', blinded)}${element('control', trial.design.placebo ? 'Placebo' : 'Active')}${element('assignment', 'Parallel')}<purposes>${element('purpose', 'Treatment')}</purposes></interventionalTrialDesign>`,
    ),
    element(
      'secondaryStudyDesign',
      interventional
        ? trial.design.randomised
          ? 'Randomised controlled trial'
          : 'Non randomised study'
        : random.pick(['Cohort study', 'Case-control study']),
    ),
    random.chance(0.85)
      ? `<trialTypes>${element('trialType', random.pick(['Treatment', 'Prevention', 'Quality of life', 'Other']))}</trialTypes>`
      : '<trialTypes/>',
    optional(
      override !== null,
      () => element('overallStatusOverride', override ?? '') + element('reasonAbandoned', prose.whyStopped(body)),
    ),
    element('overallEndDate', instant(trial.completion)),
    '</trialDesign>',
  ].join('');
}

function participants(parts: Parts): string {
  const { trial, plant, random, real, body } = parts;
  const ended = trial.completion <= parts.asOf;
  const target = plant.enrolment ?? Math.max(1, trial.enrolment);
  // 0 stands for "not known yet" until the trial has ended.
  const final =
    ended && random.chance(0.7) ? String(Math.max(0, target - random.below(12))) : random.chance(0.5) ? '0' : '';
  const countries = trial.countries.flatMap((country) => [
    country.name,
    ...(country.nations.length > 0 ? [random.pick(country.nations)] : []),
  ]);
  const home = trial.countries[0];
  const city = home ? random.pick(home.cities)[0] : '-';
  return [
    '<participants>',
    `<recruitmentCountries>${countries.map((name) => element('country', name)).join('')}</recruitmentCountries>`,
    `<trialCentres><trialCentre id="${random.uuid()}">${element('name', trial.sponsor.name)}${element('address', '-')}${element('city', city)}<state/>${element('country', home?.name ?? '')}${element('zip', `ZZ${random.digits(2)} 9ZZ`)}</trialCentre></trialCentres>`,
    random.chance(0.8)
      ? `<participantTypes>${element('participantType', 'Patient')}</participantTypes>`
      : '<participantTypes/>',
    optional(random.chance(0.35), () => element('healthyVolunteersAllowed', 'false')),
    element('inclusion', british(prose.numberedLines(body, 'inclusion', real ? 8 : 3))),
    element('ageRange', random.pick(['Adult', 'Adult', 'Mixed'])),
    optional(
      random.chance(0.6),
      () =>
        '<lowerAgeLimit unit="years" value="18.0">18 Years</lowerAgeLimit><upperAgeLimit unit="years" value="90.0">90 Years</upperAgeLimit>',
    ),
    element('gender', 'All'),
    element('targetEnrolment', String(target)),
    element('totalFinalEnrolment', final),
    element('exclusion', british(prose.numberedLines(body, 'exclusion', real ? 7 : 2))),
    element('recruitmentStart', instant(trial.start)),
    element('recruitmentEnd', instant(trial.primaryCompletion)),
    '<recruitmentStartStatusOverride/>',
    element('recruitmentStatusOverride', overrideOf(parts) ?? ''),
    '</participants>',
  ].join('');
}

function conditions(trial: Trial): string {
  const list = trial.conditions.map(
    (one) =>
      `<condition>${element('description', one.name)}${element('diseaseClass1', one.diseaseClass)}<diseaseClass2/></condition>`,
  );
  return `<conditions>${list.join('')}</conditions>`;
}

const PHASES: Readonly<Record<string, string>> = {
  NA: 'Not Applicable',
  EARLY_PHASE1: 'Phase I',
  PHASE1: 'Phase I',
  PHASE2: 'Phase II',
  PHASE3: 'Phase III',
  PHASE4: 'Phase IV',
  'PHASE1 PHASE2': 'Phase I/II',
  'PHASE2 PHASE3': 'Phase II/III',
};

function interventions({ trial, random, body, real }: Parts): string {
  const names = trial.interventions.map((one) => one.name);
  const drugs = trial.interventions
    .filter((one) => one.isrctnType === 'Drug' && one.modality !== 'placebo')
    .map((one) => one.name);
  const kinds = new Set(trial.interventions.map((one) => one.isrctnType));
  const kind = kinds.size > 1 ? 'Mixed' : ([...kinds][0] ?? 'Other');
  const text = `Participants are allocated to: ${names.join('; ') || 'no intervention'}.${real ? ` ${british(prose.paragraphs(body, body.between(3, 16)))}` : ''}`;
  const phase = random.chance(0.8)
    ? (PHASES[trial.phases.join(' ')] ?? 'Not Applicable')
    : random.pick(['', 'Not Specified']);
  return `<interventions><intervention>${element('description', text)}${element('interventionType', kind)}${element('phase', phase)}${element('drugNames', drugs.join(', '))}</intervention></interventions>`;
}

function results(parts: Parts): string {
  const { trial, random, asOf } = parts;
  const published = trial.completion <= asOf && random.chance(0.55);
  const note = isoDay(Math.min(trial.lastUpdated, asOf)).split('-').reverse().join('/');
  const details = published
    ? `${isoDay(trial.completion + 300).slice(0, 4)} Results article in https://pubmed.ncbi.nlm.nih.gov/${pmid(random.next())}/ (added ${note})`
    : '';
  const output = `<output${attributes({ id: random.uuid(), outputType: 'resultsarticle', artefactType: 'ExternalLink', dateCreated: instant(trial.lastUpdated), dateUploaded: instant(trial.lastUpdated), peerReviewed: 'true', patientFacing: 'false', createdBy: '' })}><externalLink${attributes({ url: `https://pubmed.ncbi.nlm.nih.gov/${pmid(random.next())}/` })}/><description/><productionNotes/></output>`;
  return [
    '<results>',
    element(
      'ipdSharingStatement',
      random.chance(0.5) ? 'Data will be available on request from the invented trial office.' : '',
    ),
    `<dataPolicies>${element('dataPolicy', 'Available on request')}</dataPolicies>`,
    element('publicationDetails', details),
    element('publicationStage', published ? 'Results' : ''),
    element('basicReport', ''),
    '<plainEnglishReport/></results>',
    optional(random.chance(0.7), () => (published ? `<outputs>${output}</outputs>` : '<outputs>\n\t</outputs>')),
  ].join('');
}

function parties({ contactId, sponsorId, funderId }: Parts): string {
  return `<parties${FUNCTIONS}>${element('funderId', funderId)}${element('contactId', contactId)}${element('sponsorId', sponsorId)}</parties><miscellaneous${FUNCTIONS}>${element('ipdSharingPlan', 'Yes')}</miscellaneous><attachedFiles/>`;
}

function contact({ contactId, random }: Parts): string {
  const { forename, surname } = drawPerson(random);
  return `<contact id="${contactId}">${element('title', random.pick(['Dr', 'Prof', 'Ms', 'None']))}${element('forename', forename)}${element('surname', surname)}<orcid/><contactTypes>${element('contactType', 'Principal investigator')}</contactTypes><contactDetails><address>-</address><telephone${FUNCTIONS}>-</telephone><email${FUNCTIONS}>nobody@example.org</email></contactDetails><privacy>Public</privacy></contact>`;
}

const SPONSOR_TYPES: Readonly<Record<Organisation['class'], string>> = {
  OTHER: 'University/education',
  INDUSTRY: 'Industry',
  OTHER_GOV: 'Government',
  NIH: 'Government',
  NETWORK: 'Research organisation',
  FED: 'Government',
  INDIV: '',
};

function sponsor(id: string, organisation: Organisation): string {
  const commercial = organisation.class === 'INDUSTRY' ? 'Commercial' : 'Non-commercial';
  return `<sponsor id="${id}">${element('organisation', organisation.name)}${element('sponsorType', SPONSOR_TYPES[organisation.class])}${element('commercialStatus', commercial)}</sponsor>`;
}

function funder({ funderId, random }: Parts): string {
  return `<funder id="${funderId}">${element('name', drawFunder(random))}</funder>`;
}
