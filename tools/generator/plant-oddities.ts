import { isrctnAbsent, isrctnId, nctAbsent, nctId, pmid } from './ids.ts';
import type { Planting } from './plant-links.ts';

/** Planted numbers that must not merge anything, and records that are odd in themselves. */

const WITHIN_ONE_REGISTRY: Planting[] = [
  (ground) => {
    const parent = nctId(ground.plantCtgov({}));
    const extension = nctId(
      ground.plantCtgov({ secondaryIds: [{ id: parent, type: 'OTHER', domain: 'Parent study' }] }),
    );
    ground.add('same-registry', 'An extension study names its parent: a relation, not a merge.', {
      nct: [parent, extension],
    });
  },
  (ground) => {
    const own = nctId(ground.nextCtgov);
    ground.plantCtgov({ secondaryIds: [{ id: own, type: 'REGISTRY' }] });
    const isrctn = isrctnId(ground.nextIsrctn);
    ground.plantIsrctn({ protocolSerialNumber: isrctn });
    ground.add('self-reference', 'Records that repeat their own number as a secondary one.', {
      nct: [own],
      isrctn: [isrctn],
    });
  },
  (ground) => {
    const nct = [1, 2, 3].map((project) =>
      nctId(ground.plantCtgov({ secondaryIds: [{ id: `1 U01-HL-999301-01 (Project ${project})`, type: 'NIH' }] })),
    );
    const isrctn = [isrctnId(ground.plantIsrctn({ secondaryNumbers: [{ type: 'Grant Code', value: 'U01HL999301' }] }))];
    ground.add('grant', 'Sibling trials under one grant stay apart.', { nct, isrctn, identifier: 'U01HL999301' });
  },
  (ground) => {
    const nct = [0, 1].map(() => nctId(ground.plantCtgov({ orgStudyId: '001' })));
    const isrctn = [isrctnId(ground.plantIsrctn({ protocolSerialNumber: '001' }))];
    ground.add('sponsor-code', 'Trials that share a short sponsor code stay apart.', {
      nct,
      isrctn,
      identifier: '001',
    });
  },
];

const DANGLING: Planting[] = [
  (ground) => {
    const target = nctAbsent(1);
    const isrctn = [isrctnId(ground.plantIsrctn({ clinicalTrialsGovNumber: target }))];
    ground.add('unresolved', 'A trial names a study that the corpus does not hold.', { isrctn, identifier: target });
  },
  (ground) => {
    const target = isrctnAbsent(1);
    const nct = [nctId(ground.plantCtgov({ secondaryIds: [{ id: target, type: 'REGISTRY' }] }))];
    ground.add('unresolved', 'A study names a trial that the corpus does not hold.', { nct, identifier: target });
  },
  (ground) => {
    const suspect = `NCT${Number(nctAbsent(2).slice(3)) + 1}`;
    const isrctn = [isrctnId(ground.plantIsrctn({ clinicalTrialsGovNumber: suspect }))];
    ground.add('suspect', 'A number of the right shape that is no multiple of 13: flagged, kept, unresolved.', {
      isrctn,
      identifier: suspect,
    });
  },
  (ground) => {
    const fields = ['Nil known', 'N/A', 'NCT00000000', 'NCT12345678', 'Not provided at time of registration'];
    const isrctn = fields.map((clinicalTrialsGovNumber) =>
      isrctnId(ground.plantIsrctn({ clinicalTrialsGovNumber, eudraCTNumber: 'Nil known' })),
    );
    const secondaryIds = [{ id: 'ISRCTN00000000', type: 'REGISTRY' }, { id: 'not applicable' }];
    const nct = [0, 1].map(() => nctId(ground.plantCtgov({ secondaryIds })));
    ground.add('placeholder', 'Placeholders where an id belongs: dropped, never shared.', { nct, isrctn });
  },
  (ground) => {
    const fields = ['NCT9000123', 'NCT-2007-11-02-1003', 'PAINCT02', '2014-00185-40'];
    const isrctn = fields.map((clinicalTrialsGovNumber) => isrctnId(ground.plantIsrctn({ clinicalTrialsGovNumber })));
    const nct = [nctId(ground.plantCtgov({ secondaryIds: [{ id: 'ISRCTN pending' }, { id: 'ISRCTN900609024' }] }))];
    ground.add('malformed', 'Numbers of a wrong length and words that look like numbers: no identifier.', {
      nct,
      isrctn,
    });
  },
  (ground) => {
    const isrctn = isrctnId(ground.nextIsrctn);
    const nct = nctId(ground.nextCtgov);
    ground.plantCtgov({
      mention: `It builds on the trial ${isrctn}.`,
      citation: `Fennimore A, Oxendale B. First results of ${isrctn}. J Invented Med. 2019;1:1-9. PMID ${pmid(1)}.`,
    });
    ground.plantIsrctn({ mention: `An earlier study, ${nct}, looked at a lower dose.` });
    ground.add('literature-only', 'Each side mentions the other in prose and citations only: never a merge.', {
      nct: [nct],
      isrctn: [isrctn],
    });
  },
];

const ODD_RECORDS: Planting[] = [
  (ground) => {
    const nct = nctId(ground.plantCtgov({ enrolment: 99_999_999 }));
    ground.add('enrolment-sentinel', 'Enrolment 99999999 means unknown.', { nct: [nct] });
  },
  (ground) => {
    const newest = ground.plantCtgov({});
    ground.plantCtgov({ olderVersionOf: newest });
    const trial = ground.plantIsrctn({});
    ground.plantIsrctn({ olderVersionOf: trial });
    ground.add('duplicate-in-dump', 'The same id twice: the newer update wins.', {
      nct: [nctId(newest)],
      isrctn: [isrctnId(trial)],
    });
  },
];

export const ODDITY_PLANTINGS: readonly Planting[] = [...WITHIN_ONE_REGISTRY, ...DANGLING, ...ODD_RECORDS];

/** Two records that no reader can use; they are planted only in corpora where they stay below one record in a hundred. */
export const UNREADABLE_PLANTING: Planting = (ground) => {
  ground.plantCtgov({ nctId: 'NCT9000012' });
  ground.plantIsrctn({ isrctn: '9000012' });
  ground.add('unreadable', 'An id of seven digits: quarantined.', { nct: ['NCT9000012'], isrctn: ['9000012'] });
};

/** Records whose second day differs in structure; `day` says which day is made. */
export function secondDayPlantings(day: 0 | 1): Planting[] {
  return [
    (ground) => {
      const trialKey = ground.nextCtgov;
      const nct = nctId(ground.plantCtgov({ trialKey }));
      const isrctn = isrctnId(ground.plantIsrctn({ trialKey, ...(day === 1 ? { clinicalTrialsGovNumber: nct } : {}) }));
      ground.add('joins-on-day-1', 'Apart on the first day; on the second ISRCTN names the study.', {
        nct: [nct],
        isrctn: [isrctn],
        joins: day === 1 ? [[nct, isrctn]] : [],
      });
    },
    (ground) => {
      const trialKey = ground.nextCtgov;
      const nct = nctId(ground.plantCtgov({ trialKey }));
      const isrctn = isrctnId(ground.plantIsrctn({ trialKey, ...(day === 0 ? { clinicalTrialsGovNumber: nct } : {}) }));
      ground.add('splits-on-day-1', 'One trial on the first day; on the second ISRCTN no longer names the study.', {
        nct: [nct],
        isrctn: [isrctn],
        joins: day === 0 ? [[nct, isrctn]] : [],
      });
    },
    (ground) => {
      const nct = nctId(ground.plantCtgov({ absent: day === 1 }));
      ground.add('removed-on-day-1', 'In the first day only.', { nct: [nct] });
    },
  ];
}
