import { normaliseCtgov } from '../../pipeline/normalise/ctgov/ctgov.ts';
import { normaliseIsrctn } from '../../pipeline/normalise/isrctn/isrctn.ts';
import type { NormalisedRecord, RejectedRecord } from '../../pipeline/normalise/record.ts';

/** Small records in the registries' own formats, read; a rejected one throws. */

const RECEIVED = '2026-11-20T03:00:00Z';
const CONTEXT = { asOf: '2026-11-21' };

/** A study with these modules; `identificationModule` adds to its number and title. `top` stands beside them. */
export function readStudy(modules: Record<string, object>, top: object = {}): NormalisedRecord {
  const identificationModule = {
    nctId: 'NCT00000106',
    briefTitle: 'Cooling after exercise',
    ...modules.identificationModule,
  };
  const study = { protocolSection: { ...modules, identificationModule }, ...top };
  return held(normaliseCtgov(Buffer.from(JSON.stringify(study)), RECEIVED, CONTEXT));
}

/** A trial: `description` goes inside trialDescription, `rest` behind it, `beside` behind the trial. */
export function readTrial(rest: string, beside = '', description = ''): NormalisedRecord {
  const trial = `<trial><isrctn>12345679</isrctn><trialDescription><title>Walking</title>${description}</trialDescription>${rest}</trial>`;
  return held(normaliseIsrctn(Buffer.from(`<fullTrial>${trial}${beside}</fullTrial>`), RECEIVED, CONTEXT));
}

function held<R extends NormalisedRecord>(record: R | RejectedRecord): R {
  if (!record.ok) throw new Error(`rejected: ${record.reason} ${record.detail}`);
  return record;
}
