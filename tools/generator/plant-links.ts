import { euctNumber, eudractNumber, isrctnId, nctAlias, nctId, utn } from './ids.ts';
import type { CtgovPlant, IsrctnPlant, PlantedKind, PlantingGround } from './planted.ts';

/** Planted evidence that two registrations are one trial, and evidence that is too weak or ambiguous for it. */
export type Planting = (ground: PlantingGround) => void;

/** Plants one record in each registry, rendered from one trial, with the evidence that `evidence` puts on each side. */
function pair(
  ground: PlantingGround,
  evidence: (nct: string, isrctn: string) => { ctgov?: CtgovPlant; isrctn?: IsrctnPlant },
): { nct: string; isrctn: string } {
  const nct = nctId(ground.nextCtgov);
  const isrctn = isrctnId(ground.nextIsrctn);
  const trialKey = ground.nextCtgov;
  const sides = evidence(nct, isrctn);
  ground.plantCtgov({ trialKey, ...sides.ctgov });
  ground.plantIsrctn({ trialKey, ...sides.isrctn });
  return { nct, isrctn };
}

function joined(
  kind: PlantedKind,
  expect: string,
  evidence: (nct: string, isrctn: string) => { ctgov?: CtgovPlant; isrctn?: IsrctnPlant },
  identifier: string | null = null,
): Planting {
  return (ground) => {
    const { nct, isrctn } = pair(ground, evidence);
    ground.add(kind, expect, { nct: [nct], isrctn: [isrctn], joins: [[nct, isrctn]], identifier });
  };
}

const otherRegistry = (id: string): CtgovPlant => ({
  secondaryIds: [{ id, type: 'OTHER', domain: 'ISRCTN registry' }],
});

const EXPLICIT: Planting[] = [
  joined('mutual', 'Each side names the other.', (nct, isrctn) => ({
    ctgov: otherRegistry(isrctn),
    isrctn: { clinicalTrialsGovNumber: nct },
  })),
  joined('mutual', 'Each side names the other, with blanks and dashes inside the numbers.', (nct, isrctn) => ({
    ctgov: { secondaryIds: [{ id: isrctn.replace('ISRCTN', 'ISRCTN-') }] },
    isrctn: { clinicalTrialsGovNumber: nct.replace('NCT', 'NCT ') },
  })),
  joined('declared-by-isrctn', 'ISRCTN names the study in its own field; ClinicalTrials.gov is silent.', (nct) => ({
    isrctn: { clinicalTrialsGovNumber: nct },
  })),
  joined('declared-by-isrctn', 'ISRCTN names the study among its secondary numbers.', (nct) => ({
    isrctn: { secondaryNumbers: [{ type: 'nct', value: nct }] },
  })),
  joined('declared-by-isrctn', 'ISRCTN names the study in its list of protocol numbers.', (nct) => ({
    isrctn: { protocolSerialNumber: `CPMS: 99001, ${nct}` },
  })),
  joined('declared-by-ctgov', 'ClinicalTrials.gov names the trial under type OTHER.', (_nct, isrctn) => ({
    ctgov: otherRegistry(isrctn),
  })),
  joined('declared-by-ctgov', 'ClinicalTrials.gov names the trial under type REGISTRY.', (_nct, isrctn) => ({
    ctgov: { secondaryIds: [{ id: isrctn, type: 'REGISTRY', domain: 'Current Controlled Trials' }] },
  })),
  joined(
    'declared-by-ctgov',
    'ClinicalTrials.gov names the trial with its letters swapped (ISCRTN).',
    (_nct, isrctn) => ({
      ctgov: { secondaryIds: [{ id: isrctn.replace('ISRCTN', 'ISCRTN') }] },
    }),
  ),
  joined(
    'declared-by-ctgov',
    'ClinicalTrials.gov holds the ISRCTN number as its organisation study id.',
    (_nct, isrctn) => ({
      ctgov: { orgStudyId: isrctn },
    }),
  ),
  joined('disagreement', 'One trial whose sides disagree in status, enrolment and dates.', (nct, isrctn) => ({
    ctgov: { ...otherRegistry(isrctn), status: 'TERMINATED', enrolment: 87, shiftDays: -400 },
    isrctn: { clinicalTrialsGovNumber: nct, enrolment: 240, shiftDays: 2000 },
  })),
  (ground) => {
    const alias = nctAlias(ground.nextCtgov);
    joined(
      'alias',
      'ISRCTN names a superseded number, which resolves to the study that replaced it.',
      () => ({ ctgov: { aliases: [alias] }, isrctn: { clinicalTrialsGovNumber: alias } }),
      alias,
    )(ground);
  },
];

const eudract = eudractNumber(9001);
const suffixed = eudractNumber(9002);
const glued = eudractNumber(9003);
const euct = euctNumber(9004);
const universal = utn(905);
const misplaced = utn(906);

const SHARED: Planting[] = [
  joined(
    'shared-eudract',
    'Both sides, and no other record, hold one EudraCT number.',
    () => ({ ctgov: { secondaryIds: [{ id: eudract, type: 'EUDRACT_NUMBER' }] }, isrctn: { eudraCTNumber: eudract } }),
    eudract,
  ),
  joined(
    'shared-eudract',
    'One EudraCT number: with typographic hyphens here, with a label and a country there.',
    () => ({
      ctgov: { secondaryIds: [{ id: `EudraCT ${suffixed}-GB`, type: 'REGISTRY' }] },
      isrctn: { eudraCTNumber: suffixed.replaceAll('-', '\u2010') },
    }),
    suffixed,
  ),
  joined(
    'shared-eudract',
    'An EudraCT number under the type ctis, with 00 glued on.',
    () => ({
      ctgov: { secondaryIds: [{ id: glued, type: 'EUDRACT_NUMBER' }] },
      isrctn: { secondaryNumbers: [{ type: 'ctis', value: `${glued}-00` }] },
    }),
    glued,
  ),
  joined(
    'shared-euct',
    'One EU CT number, with its resubmission part on one side only.',
    () => ({
      ctgov: { secondaryIds: [{ id: `${euct}-00`, type: 'CTIS' }] },
      isrctn: { secondaryNumbers: [{ type: 'ctis', value: euct }] },
    }),
    euct,
  ),
  joined(
    'shared-utn',
    'One universal trial number.',
    () => ({
      ctgov: { secondaryIds: [{ id: universal, type: 'OTHER', domain: 'WHO' }] },
      isrctn: { protocolSerialNumber: universal },
    }),
    universal,
  ),
  joined(
    'shared-utn',
    'A universal trial number that stands in the ClinicalTrials.gov field.',
    () => ({
      ctgov: { secondaryIds: [{ id: misplaced, type: 'REGISTRY' }] },
      isrctn: { clinicalTrialsGovNumber: misplaced },
    }),
    misplaced,
  ),
];

const manyEudract = eudractNumber(9010);

const AMBIGUOUS: Planting[] = [
  (ground) => {
    const secondaryIds = [{ id: manyEudract, type: 'EUDRACT_NUMBER' }];
    const nct = [ground.plantCtgov({ secondaryIds }), ground.plantCtgov({ secondaryIds })].map(nctId);
    const isrctn = [isrctnId(ground.plantIsrctn({ eudraCTNumber: manyEudract }))];
    ground.add('shared-by-many', 'Three records hold one EudraCT number: related, not merged.', {
      nct,
      isrctn,
      identifier: manyEudract,
    });
  },
  (ground) => {
    const nct = [ground.plantCtgov({}), ground.plantCtgov({})].map(nctId);
    const isrctn = [isrctnId(ground.plantIsrctn({ clinicalTrialsGovNumber: nct.join(', ') }))];
    ground.add('one-to-many', 'One trial names two studies in one field: neither is merged.', { nct, isrctn });
  },
  (ground) => {
    const nct = [nctId(ground.plantCtgov({}))];
    const isrctn = [0, 1].map(() => isrctnId(ground.plantIsrctn({ clinicalTrialsGovNumber: nct[0] as string })));
    ground.add('many-to-one', 'Two trials name one study: neither is merged.', { nct, isrctn });
  },
  (ground) => {
    const isrctn = isrctnId(ground.nextIsrctn);
    const trialKey = ground.nextCtgov;
    const named = nctId(ground.plantCtgov({ trialKey, ...otherRegistry(isrctn) }));
    const other = nctId(ground.plantCtgov({}));
    ground.plantIsrctn({ trialKey, clinicalTrialsGovNumber: `${named}, ${other}` });
    ground.add(
      'mutual-beats-one-way',
      'One trial names two studies, and one of them names it back: that one is merged.',
      {
        nct: [named, other],
        isrctn: [isrctn],
        joins: [[named, isrctn]],
      },
    );
  },
  (ground) => {
    const nct = nctId(ground.nextCtgov);
    const silent = isrctnId(ground.plantIsrctn({}));
    const speaking = isrctnId(ground.plantIsrctn({ clinicalTrialsGovNumber: nct }));
    ground.plantCtgov(otherRegistry(silent));
    ground.add('conflict', 'A trial names a study that names another trial: both links conflict, nothing is merged.', {
      nct: [nct],
      isrctn: [silent, speaking],
      conflicts: [
        [nct, silent],
        [nct, speaking],
      ],
    });
  },
  (ground) => {
    const value = '999301';
    const { nct, isrctn } = pair(ground, () => ({
      ctgov: { secondaryIds: [{ id: `IRAS ID ${value}`, type: 'OTHER', domain: 'Health Research Authority' }] },
      isrctn: { irasNumber: value, secondaryNumbers: [{ type: 'iras', value }] },
    }));
    ground.add('corroboration-only', 'Both sides hold one IRAS number, which alone never merges.', {
      nct: [nct],
      isrctn: [isrctn],
      identifier: value,
    });
  },
];

/** Links over both registries, in the order in which they are planted. */
export const LINK_PLANTINGS: readonly Planting[] = [...EXPLICIT, ...SHARED, ...AMBIGUOUS];
