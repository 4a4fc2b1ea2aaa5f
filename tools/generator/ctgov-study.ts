import { type Day, isoDay, isoMonth } from './calendar.ts';
import { asClver } from './clver-study.ts';
import { documentSection, resultsSection } from './ctgov-results.ts';
import { nctId, pmid } from './ids.ts';
import type { Country } from './organisations.ts';
import { drawPerson } from './organisations.ts';
import type { CtgovPlant, SecondaryId } from './planted.ts';
import * as prose from './prose.ts';
import { Random, weightedTable } from './random.ts';
import { british } from './spelling.ts';
import { inBritish, STREAM, type Trial } from './trial.ts';

export interface StudyInput {
  seed: number;
  index: number;
  asOf: Day;
  real: boolean;
  trial: Trial;
  plant: CtgovPlant;
}

interface Study extends StudyInput {
  spell: (text: string) => string;
}

type Json = Record<string, unknown>;

/** Share of start, primary completion and completion dates that name a month only. */
const MONTH_ONLY = 0.34;

const SECONDARY = weightedTable<(random: Random) => SecondaryId>([
  [(random) => ({ id: `PRT-${random.digits(5)}`, type: 'OTHER', domain: 'Sponsor protocol' }), 287],
  [(random) => ({ id: `R01HL9${random.digits(5)}`, type: 'NIH' }), 236],
  [
    (random) => ({
      id: `20${random.between(10, 21)}-0${random.between(40_000, 79_999)}-${random.between(10, 99)}`,
      type: 'EUDRACT_NUMBER',
    }),
    212,
  ],
  [
    (random) => ({ id: `jRCT20${random.digits(8)}`, type: 'REGISTRY', domain: 'Japan Registry of Clinical Trials' }),
    40,
  ],
  [(random) => ({ id: `U1111-8${random.digits(3)}-${random.digits(4)}`, type: 'REGISTRY' }), 45],
  [(random) => ({ id: `GR-${random.digits(6)}`, type: 'OTHER_GRANT', domain: 'Fairhaven Medical Foundation' }), 67],
  [(random) => ({ id: `2023-50${random.between(1000, 9999)}-${random.between(10, 99)}-00`, type: 'CTIS' }), 17],
  [(random) => ({ id: random.pick(['Heart Foundation Grant', 'Loop Recorder', `CDR000${random.digits(7)}`]) }), 85],
]);

/** One study of the API v2, complete, as one line of JSON. */
export function renderStudy(given: StudyInput): string {
  const random = new Random(given.seed, STREAM.ctgov, given.index);
  const input: Study = { ...given, ...spelledAsAtHome(given.trial) };
  const { trial, plant } = input;
  // Prose is drawn apart, so that a longer body leaves every coded field as it was.
  const body = new Random(input.seed, STREAM.ctgovBody, input.index);
  const protocolSection: Json = {
    identificationModule: identification(input, random, body),
    statusModule: status(input, random),
    sponsorCollaboratorsModule: sponsors(trial, random),
    ...(random.chance(0.965) ? { oversightModule: oversight(random) } : {}),
    descriptionModule: description(input, random, body),
    conditionsModule: { conditions: conditionNames(trial), keywords: ['synthetic', ...keywords(trial, random)] },
    designModule: design(trial, plant, random),
    ...(trial.interventions.length > 0 ? { armsInterventionsModule: arms(input, random, body) } : {}),
    ...(random.chance(0.992) ? { outcomesModule: outcomes(input.real, random, body) } : {}),
    eligibilityModule: eligibility(input.real, trial, random, body),
    ...(random.chance(0.984) ? { contactsLocationsModule: places(input.real, trial, random, body) } : {}),
    ...references(plant, random),
    ...(random.chance(0.603)
      ? { ipdSharingStatementModule: { ipdSharing: random.pick(['NO', 'NO', 'NO', 'YES', 'UNDECIDED']) } }
      : {}),
  };
  const study: Json = {
    protocolSection,
    ...(trial.hasResults ? { resultsSection: resultsSection(input.real, trial, body) } : {}),
    ...(random.chance(0.011) && !trial.hasResults ? { annotationSection: unposted(trial) } : {}),
    ...(random.chance(0.123) ? { documentSection: documentSection(trial, random) } : {}),
    derivedSection: derived(input, random),
    hasResults: trial.hasResults,
  };
  return JSON.stringify(plant.clver ? asClver(study) : study);
}

/** One study in eight comes from a country that spells so; its registry text does too, organisation names apart. */
function spelledAsAtHome(trial: Trial): { trial: Trial; spell: (text: string) => string } {
  return trial.countries[0]?.britishSpelling
    ? { trial: inBritish(trial), spell: british }
    : { trial, spell: (text) => text };
}

function conditionNames(trial: Trial): string[] {
  return trial.conditions.map((condition) => condition.name);
}

function keywords(trial: Trial, random: Random): string[] {
  return random.chance(0.66)
    ? [
        trial.conditions[0]?.name.toLowerCase() ?? 'health',
        random.pick(['randomized', 'pilot', 'program', 'follow-up']),
      ]
    : [];
}

function identification(input: Study, random: Random, body: Random): Json {
  const { trial, plant } = input;
  const drawn = random.chance(0.222)
    ? Array.from({ length: random.between(1, 2) }, () => random.weighted(SECONDARY)(random))
    : [];
  const secondary = [...(plant.secondaryIds ?? []), ...drawn];
  const official = input.spell(prose.officialTitle(trial, body));
  return {
    nctId: plant.nctId ?? nctId(plant.olderVersionOf ?? input.index),
    ...(plant.aliases ? { nctIdAliases: plant.aliases } : {}),
    orgStudyIdInfo: { id: plant.orgStudyId ?? `SYN-${random.digits(6)}` },
    ...(secondary.length > 0 ? { secondaryIdInfos: secondary } : {}),
    organization: { fullName: trial.sponsor.name, class: trial.sponsor.class },
    briefTitle: input.spell(prose.briefTitle(trial, new Random(trial.briefSeed, 0, 0))),
    ...(random.chance(0.992) ? { officialTitle: official } : {}),
    ...(trial.acronym ? { acronym: trial.acronym } : {}),
  };
}

function givenDate(day: Day, random: Random): string {
  return random.chance(MONTH_ONLY) ? isoMonth(day) : isoDay(day);
}

function status(input: Study, random: Random): Json {
  const { trial, asOf } = input;
  const kind = (day: Day): string => (day <= asOf ? 'ACTUAL' : 'ESTIMATED');
  const posted = (day: Day): Json => ({ date: isoDay(day), type: day < 17_400 ? 'ESTIMATED' : 'ACTUAL' });
  const firstSubmitted = trial.firstPosted - random.between(1, 9);
  // The registry dates results between the end of the study and the latest update.
  const resultsDay = Math.max(
    trial.lastUpdated - random.between(0, 60),
    Math.min(trial.completion + 30, trial.lastUpdated),
  );
  return {
    statusVerifiedDate: isoMonth(trial.lastUpdated),
    overallStatus: trial.status,
    ...(trial.status === 'UNKNOWN'
      ? { lastKnownStatus: random.pick(['RECRUITING', 'RECRUITING', 'NOT_YET_RECRUITING', 'ACTIVE_NOT_RECRUITING']) }
      : {}),
    ...(['TERMINATED', 'WITHDRAWN', 'SUSPENDED'].includes(trial.status)
      ? { whyStopped: prose.whyStopped(random) }
      : {}),
    expandedAccessInfo: { hasExpandedAccess: false },
    ...(random.chance(0.999)
      ? {
          startDateStruct: {
            date: givenDate(trial.start, random),
            ...(random.chance(0.78) ? { type: kind(trial.start) } : {}),
          },
        }
      : {}),
    ...(random.chance(0.988)
      ? {
          primaryCompletionDateStruct: {
            date: givenDate(trial.primaryCompletion, random),
            type: kind(trial.primaryCompletion),
          },
        }
      : {}),
    ...(random.chance(0.989)
      ? {
          completionDateStruct: {
            date: givenDate(trial.completion, random),
            ...(random.chance(0.995) ? { type: kind(trial.completion) } : {}),
          },
        }
      : {}),
    studyFirstSubmitDate: isoDay(firstSubmitted),
    studyFirstSubmitQcDate: isoDay(firstSubmitted),
    studyFirstPostDateStruct: posted(trial.firstPosted),
    ...(trial.hasResults
      ? {
          resultsFirstSubmitDate: isoDay(resultsDay),
          resultsFirstSubmitQcDate: isoDay(resultsDay),
          resultsFirstPostDateStruct: posted(resultsDay),
        }
      : {}),
    ...(random.chance(0.032)
      ? { dispFirstSubmitDate: isoDay(Math.min(trial.completion + 300, trial.lastUpdated)) }
      : {}),
    lastUpdateSubmitDate: isoDay(trial.lastUpdated - random.between(0, 5)),
    lastUpdatePostDateStruct: posted(trial.lastUpdated),
  };
}

function sponsors(trial: Trial, random: Random): Json {
  return {
    responsibleParty: { type: random.pick(['SPONSOR', 'SPONSOR', 'PRINCIPAL_INVESTIGATOR']) },
    leadSponsor: trial.sponsor,
    ...(trial.collaborators.length > 0 ? { collaborators: trial.collaborators } : {}),
  };
}

function oversight(random: Random): Json {
  return {
    oversightHasDmc: random.chance(0.4),
    isFdaRegulatedDrug: random.chance(0.3),
    isFdaRegulatedDevice: random.chance(0.1),
  };
}

function description(input: Study, random: Random, body: Random): Json {
  const { trial, plant, real, spell } = input;
  const mention = plant.mention ? ` ${plant.mention}` : '';
  return {
    briefSummary: spell(
      `${prose.summary(trial, body)}${mention} ${prose.paragraphs(body, real ? body.between(2, 9) : 1)}`,
    ),
    ...(random.chance(0.675)
      ? { detailedDescription: spell(prose.paragraphs(body, real ? body.quantile([3, 8, 14, 30, 110]) : 2)) }
      : {}),
  };
}

const PURPOSES = [
  'TREATMENT',
  'TREATMENT',
  'TREATMENT',
  'PREVENTION',
  'DIAGNOSTIC',
  'SUPPORTIVE_CARE',
  'BASIC_SCIENCE',
];

function design(trial: Trial, plant: CtgovPlant, random: Random): Json {
  const ended = ![
    'RECRUITING',
    'NOT_YET_RECRUITING',
    'ACTIVE_NOT_RECRUITING',
    'ENROLLING_BY_INVITATION',
    'UNKNOWN',
  ].includes(trial.status);
  // A handful of records carry the form's own mark for "unknown".
  const count = plant.enrolment ?? (random.chance(0.0005) ? 99_999_999 : trial.enrolment);
  const enrollment = random.chance(0.997)
    ? { enrollmentInfo: { count, ...(random.chance(0.991) ? { type: ended ? 'ACTUAL' : 'ESTIMATED' } : {}) } }
    : {};
  if (trial.studyType === 'EXPANDED_ACCESS') return { studyType: trial.studyType };
  if (trial.studyType === 'OBSERVATIONAL') {
    const designInfo = {
      observationalModel: random.pick(['COHORT', 'COHORT', 'CASE_CONTROL', 'CASE_ONLY']),
      timePerspective: random.pick(['PROSPECTIVE', 'RETROSPECTIVE', 'CROSS_SECTIONAL']),
    };
    return { studyType: trial.studyType, patientRegistry: random.chance(0.2), designInfo, ...enrollment };
  }
  const masking = trial.design.blinded ? random.pick(['QUADRUPLE', 'SINGLE', 'DOUBLE', 'TRIPLE']) : 'NONE';
  return {
    studyType: trial.studyType,
    phases: trial.phases,
    designInfo: {
      allocation: trial.design.randomised ? 'RANDOMIZED' : random.pick(['NA', 'NA', 'NON_RANDOMIZED']),
      interventionModel: trial.design.randomised
        ? random.pick(['PARALLEL', 'PARALLEL', 'CROSSOVER', 'FACTORIAL'])
        : 'SINGLE_GROUP',
      primaryPurpose: random.pick(PURPOSES),
      maskingInfo: { masking },
    },
    ...enrollment,
  };
}

function arms(input: Study, random: Random, body: Random): Json {
  const { interventions } = input.trial;
  const labels = interventions.map((one) => `${one.name} group`);
  return {
    armGroups: interventions.map((one, place) => ({
      label: labels[place],
      type:
        place === 0
          ? 'EXPERIMENTAL'
          : random.pick(['ACTIVE_COMPARATOR', 'PLACEBO_COMPARATOR', 'NO_INTERVENTION', 'OTHER']),
      ...(input.real ? { description: prose.paragraphs(body, body.between(1, 3)) } : {}),
      interventionNames: [`${typeLabel(one.type)}: ${one.name}`],
    })),
    interventions: interventions.map((one, place) => ({
      type: one.type,
      name: one.name,
      ...(random.chance(0.946) ? { description: `${one.name} as the protocol sets out` } : {}),
      armGroupLabels: [labels[place]],
      ...(one.otherNames.length > 0 ? { otherNames: one.otherNames } : {}),
    })),
  };
}

function typeLabel(type: string): string {
  const words = type.toLowerCase().replaceAll('_', ' ');
  return words[0]?.toUpperCase() + words.slice(1);
}

function outcomes(real: boolean, random: Random, body: Random): Json {
  const list = (count: number): Json[] =>
    Array.from({ length: count }, () =>
      real ? { ...prose.outcome(body), description: prose.paragraphs(body, body.between(1, 2)) } : prose.outcome(body),
    );
  return {
    primaryOutcomes: list(random.chance(0.8) ? 1 : 2),
    ...(random.chance(0.87) ? { secondaryOutcomes: list(real ? body.quantile([1, 3, 5, 9, 26]) : 1) } : {}),
  };
}

function eligibility(real: boolean, trial: Trial, random: Random, body: Random): Json {
  return {
    eligibilityCriteria: prose.criteria(body, real ? 4 : 0),
    healthyVolunteers: random.chance(0.2),
    sex: random.pick(['ALL', 'ALL', 'ALL', 'ALL', 'ALL', 'ALL', 'ALL', 'ALL', 'ALL', 'FEMALE', 'MALE']),
    ...(random.chance(0.968)
      ? { minimumAge: random.pick(['18 Years', '18 Years', '18 Years', '40 Years', '6 Months', '65 Years']) }
      : {}),
    ...(random.chance(0.48) ? { maximumAge: random.pick(['65 Years', '75 Years', '80 Years', '17 Years']) } : {}),
    stdAges: random.pick([
      ['ADULT', 'OLDER_ADULT'],
      ['ADULT', 'OLDER_ADULT'],
      ['CHILD', 'ADULT', 'OLDER_ADULT'],
    ]),
    ...(trial.studyType === 'OBSERVATIONAL'
      ? { studyPopulation: 'People seen at the participating clinics', samplingMethod: 'NON_PROBABILITY_SAMPLE' }
      : {}),
  };
}

function places(real: boolean, trial: Trial, random: Random, body: Random): Json {
  const { forename, surname } = drawPerson(random);
  const officials = [
    { name: `${forename} ${surname}, MD`, affiliation: trial.sponsor.name, role: 'PRINCIPAL_INVESTIGATOR' },
  ];
  const sites = trial.countries.map((country) => location(country, random));
  const extra = real && trial.countries.length > 1 ? body.quantile([0, 2, 8, 30]) : 0;
  for (let place = 0; place < extra; place++) sites.push(location(body.pick(trial.countries), body));
  return {
    ...(random.chance(0.74) ? { overallOfficials: officials } : {}),
    ...(random.chance(0.944) ? { locations: sites } : {}),
  };
}

function location(country: Country, random: Random): Json {
  const [city, lat, lon] = random.pick(country.cities);
  return {
    facility: `Invented Site ${random.digits(3)}`,
    city,
    zip: random.digits(5),
    country: country.name,
    geoPoint: { lat, lon },
  };
}

function references(plant: CtgovPlant, random: Random): Json {
  const count = random.chance(0.416) ? random.quantile([1, 2, 4, 14]) : 0;
  if (count === 0 && plant.citation === undefined) return {};
  const drawn = Array.from({ length: count }, () => {
    const type = random.pick(['BACKGROUND', 'BACKGROUND', 'BACKGROUND', 'DERIVED', 'RESULT']);
    const number = pmid(random.next());
    return {
      ...(random.chance(0.991) ? { pmid: number } : {}),
      type,
      citation: `${drawPerson(random).surname} Q, et al. An invented report. J Invented Med. ${random.between(2001, 2026)};${random.between(1, 40)}:${random.between(1, 900)}.`,
    };
  });
  if (plant.citation !== undefined) drawn.push({ pmid: pmid(0), type: 'BACKGROUND', citation: plant.citation });
  return { referencesModule: { references: drawn } };
}

function unposted(trial: Trial): Json {
  return {
    annotationModule: {
      unpostedAnnotation: {
        unpostedResponsibleParty: trial.sponsor.name,
        unpostedEvents: [
          { type: 'RELEASE', date: isoDay(trial.lastUpdated - 90) },
          { type: 'RESET', date: isoDay(trial.lastUpdated - 60) },
        ],
      },
    },
  };
}

function derived(input: Study, random: Random): Json {
  const terms = (names: string[]): Json => ({
    meshes: names.map((term) => ({ id: `D99${String(term.length * 131).padStart(4, '0')}`, term })),
  });
  const { trial } = input;
  return {
    miscInfoModule: { versionHolder: isoDay(input.asOf) },
    ...(random.chance(0.865) ? { conditionBrowseModule: terms(conditionNames(trial)) } : {}),
    ...(trial.interventions.length > 0 && random.chance(0.59)
      ? { interventionBrowseModule: terms(trial.interventions.map((one) => one.name)) }
      : {}),
  };
}
