import { isoDay } from './calendar.ts';
import { outcome, paragraphs } from './prose.ts';
import type { Random } from './random.ts';
import type { Trial } from './trial.ts';

/** Results and documents of a study. Values are drawn, mean nothing, and agree with the registry's shapes. */

type Json = Record<string, unknown>;

/** How many outcome measures a posted result holds in a real-sized body: a long tail, up to about a megabyte. */
const MEASURES = [1, 3, 5, 8, 12, 18, 28, 45, 80, 420];

function groups(prefix: string, trial: Trial): { id: string; title: string; description: string }[] {
  const names = trial.interventions.length > 0 ? trial.interventions.map((one) => one.name) : ['All participants'];
  return names.map((title, place) => ({
    id: `${prefix}${String(place).padStart(3, '0')}`,
    title,
    description: `Participants given ${title}`,
  }));
}

/** The results section; one measure in a small body, a long-tailed number in a real-sized one. */
export function resultsSection(real: boolean, trial: Trial, random: Random): Json {
  const flow = groups('FG', trial);
  const baseline = groups('BG', trial);
  const perArm = Math.floor(trial.enrolment / flow.length);
  const milestone = (type: string, people: number): Json => ({
    type,
    achievements: flow.map((group) => ({ groupId: group.id, numSubjects: String(people) })),
  });
  const denoms = [
    { units: 'Participants', counts: baseline.map((group) => ({ groupId: group.id, value: String(perArm) })) },
  ];
  return {
    participantFlowModule: {
      groups: flow,
      periods: [
        {
          title: 'Overall Study',
          milestones: [milestone('STARTED', perArm), milestone('COMPLETED', Math.floor(perArm * 0.9))],
        },
      ],
    },
    baselineCharacteristicsModule: {
      groups: baseline,
      denoms,
      measures: [
        {
          title: 'Age, Continuous',
          paramType: 'MEAN',
          dispersionType: 'STANDARD_DEVIATION',
          unitOfMeasure: 'years',
          classes: [{ categories: [{ measurements: baseline.map((group) => measurement(group.id, random)) }] }],
        },
      ],
    },
    outcomeMeasuresModule: {
      outcomeMeasures: Array.from({ length: real ? random.quantile(MEASURES) : 1 }, (_, place) =>
        outcomeMeasure(real, place, trial, random),
      ),
    },
    adverseEventsModule: adverseEvents(real, perArm, trial, random),
    moreInfoModule: {
      certainAgreement: { piSponsorEmployee: random.chance(0.3) },
      pointOfContact: { title: 'Trial Office', organization: trial.sponsor.name },
    },
  };
}

function measurement(groupId: string, random: Random): Json {
  const value = random.between(10, 900);
  return { groupId, value: (value / 10).toFixed(1), spread: (value / 50).toFixed(1) };
}

function outcomeMeasure(real: boolean, place: number, trial: Trial, random: Random): Json {
  const arms = groups('OG', trial);
  const visits = real ? random.between(1, 6) : 1;
  const { measure, timeFrame } = outcome(random);
  return {
    type: place === 0 ? 'PRIMARY' : 'SECONDARY',
    title: measure,
    ...(real ? { description: paragraphs(random, random.between(1, 3)) } : {}),
    reportingStatus: 'POSTED',
    paramType: 'MEAN',
    dispersionType: 'Standard Deviation',
    unitOfMeasure: 'units on a scale',
    timeFrame,
    groups: arms,
    classes: Array.from({ length: visits }, (_, visit) => ({
      title: `Visit ${visit + 1}`,
      categories: [{ measurements: arms.map((group) => measurement(group.id, random)) }],
    })),
  };
}

const EVENTS = [
  'Headache',
  'Nausea',
  'Fatigue',
  'Diarrhea',
  'Dizziness',
  'Anemia',
  'Rash',
  'Cough',
  'Edema',
  'Pain in extremity',
];

function adverseEvents(real: boolean, atRisk: number, trial: Trial, random: Random): Json {
  const arms = groups('EG', trial);
  const list = (count: number): Json[] =>
    Array.from({ length: count }, () => ({
      term: random.pick(EVENTS),
      organSystem: 'General disorders',
      assessmentType: 'SYSTEMATIC_ASSESSMENT',
      stats: arms.map((group) => ({ groupId: group.id, numAffected: random.below(atRisk + 1), numAtRisk: atRisk })),
    }));
  return {
    frequencyThreshold: '5',
    timeFrame: 'From enrollment to the last visit',
    eventGroups: arms.map((group) => ({
      ...group,
      seriousNumAffected: random.below(atRisk + 1),
      seriousNumAtRisk: atRisk,
    })),
    ...(random.chance(0.74) ? { seriousEvents: list(real ? random.quantile([1, 5, 20, 60, 260]) : 1) } : {}),
    ...(random.chance(0.81) ? { otherEvents: list(real ? random.quantile([1, 8, 18, 40, 120]) : 1) } : {}),
  };
}

export function documentSection(trial: Trial, random: Random): Json {
  const typeAbbrev = random.pick(['Prot', 'SAP', 'Prot_SAP', 'ICF']);
  const date = isoDay(trial.start);
  const uploadDate = `${isoDay(trial.lastUpdated)}T09:${random.between(10, 59)}`;
  return {
    largeDocumentModule: {
      largeDocs: [
        {
          typeAbbrev,
          hasProtocol: typeAbbrev.startsWith('Prot'),
          hasSap: typeAbbrev.includes('SAP'),
          hasIcf: typeAbbrev === 'ICF',
          label: 'Study document',
          date,
          uploadDate,
          filename: `${typeAbbrev}_000.pdf`,
          size: random.between(90_000, 4_000_000),
        },
      ],
    },
  };
}
