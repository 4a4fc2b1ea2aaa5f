import type { NormalisedRecord } from '../../../pipeline/normalise/record.ts';
import { dedupOf, type Outcome } from '../dedup-run.ts';
import type { Measure, Row } from '../measure.ts';
import {
  content,
  ctgovPayloads,
  ISRCTN_EXPORT,
  isrctnPayloads,
  isrctnTextFiles,
  newestById,
  readCtgov,
  readIsrctn,
} from '../real-records.ts';

const AS_OF = '2026-11-21';
/** Cross-registration studies and linked lists; the other sources repeat a registry's field or a graph made of such fields. */
const OTHERS = /intovalue|direcct|covid-trials|ecrin/;

interface KnownPair {
  nct: string;
  isrctn: string;
  key: string;
  sources: string;
  assertedBy: string[];
  /** Neither side is known to go with another record. */
  isOneToOne: boolean;
}

function readPairs(data: string): KnownPair[] {
  const [, ...lines] = content(data, 'pairs/nct-isrctn-pairs.csv').trim().split(/\r?\n/);
  return lines.map((line) => {
    const [nct = '', isrctn = '', , sources = '', by = '', ofNct, ofIsrctn] = line.split(',');
    return {
      nct,
      isrctn,
      key: `${nct} ${isrctn}`,
      sources,
      assertedBy: by.split(';'),
      isOneToOne: ofNct === '1' && ofIsrctn === '1',
    };
  });
}

/** A record that states only its number, and the ISRCTN number that its registry is known to have held. */
function bareStudy(nct: string, named: readonly string[]): NormalisedRecord {
  const secondaryIdInfos = named.map((id) => ({ id, type: 'OTHER' }));
  const identificationModule = { nctId: nct, briefTitle: 'Not held', secondaryIdInfos };
  return readCtgov(JSON.stringify({ protocolSection: { identificationModule } }), AS_OF);
}

function bareTrial(isrctn: string, named: readonly string[]): NormalisedRecord {
  const refs = `<externalRefs><clinicalTrialsGovNumber>${named.join(', ')}</clinicalTrialsGovNumber></externalRefs>`;
  const description = '<trialDescription><title>Not held</title></trialDescription>';
  return readIsrctn(
    `<fullTrial><trial><isrctn>${isrctn.slice(6)}</isrctn>${description}${refs}</trial></fullTrial>`,
    AS_OF,
  );
}

function heldRecords(data: string): Map<string, NormalisedRecord> {
  const trials = [ISRCTN_EXPORT, ...isrctnTextFiles(data)].flatMap((path) => isrctnPayloads(data, path));
  return newestById([
    ...ctgovPayloads(data).map((payload) => readCtgov(payload, AS_OF)),
    ...trials.map((payload) => readIsrctn(payload, AS_OF)),
  ]);
}

/** Adds a bare record for each number of a known pair that is not held; `isNamed` tells whether its registry named the other. */
function withBareRecords(
  held: ReadonlyMap<string, NormalisedRecord>,
  pairs: readonly KnownPair[],
  isNamed: (pair: KnownPair, side: 'ctgov' | 'isrctn') => boolean,
): NormalisedRecord[] {
  const all = new Map(held);
  for (const [nct, own] of Map.groupBy(pairs, (pair) => pair.nct)) {
    const named = own.filter((pair) => isNamed(pair, 'ctgov'));
    if (!all.has(nct))
      all.set(
        nct,
        bareStudy(
          nct,
          named.map(({ isrctn }) => isrctn),
        ),
      );
  }
  for (const [isrctn, own] of Map.groupBy(pairs, (pair) => pair.isrctn)) {
    const named = own.filter((pair) => isNamed(pair, 'isrctn'));
    if (!all.has(isrctn))
      all.set(
        isrctn,
        bareTrial(
          isrctn,
          named.map(({ nct }) => nct),
        ),
      );
  }
  return [...all.values()];
}

const saidBy = ({ assertedBy }: KnownPair, side: string): boolean => assertedBy.includes(side);

function recallOf(what: string, known: readonly KnownPair[], { merged }: Outcome): Row {
  const hits = known.filter(({ key }) => merged.has(key)).length;
  return { what, n: known.length, precision: null, recall: { hits, of: known.length }, misses: [] };
}

/** A line over all pairs, with precision and each miss. */
function wholeRow(what: string, known: readonly KnownPair[], outcome: Outcome): Row {
  const keys = new Set(known.map(({ key }) => key));
  const unknown = [...outcome.merged].filter((key) => !keys.has(key));
  const missed = known.filter(({ key }) => !outcome.merged.has(key));
  return {
    ...recallOf(what, known, outcome),
    precision: { hits: outcome.merged.size - unknown.length, of: outcome.merged.size },
    misses: [
      ...unknown.map((id) => ({ id, why: 'merged, but in no list' })),
      ...missed.map(({ key }) => ({ id: key, why: outcome.rejected.get(key) ?? 'named in no record that is held' })),
    ],
  };
}

export const dedupPairs: Measure = {
  title: 'Dedup: known pairs',
  sample:
    'All pairs of an NCT and an ISRCTN number that public sources are known to assert (the registry export of April 2022, linked public lists, cross-registration studies), not drawn; half of a larger set.',
  method:
    'Every held record is read by the normaliser and goes through the dedup stage. A number that is not held becomes a bare record, which names its partner where its registry is known to do so. A pair is found if both records end in one trial. Precision counts all trials with a registration of each registry in that corpus.',
  checked: {
    by: 'the sources that assert each pair; no reader compared all of the records',
    how: 'collected list, with who asserts each pair',
    on: '2026-11-23',
  },
  async measure({ data }) {
    const pairs = readPairs(data);
    const held = heldRecords(data);
    const stated = await dedupOf(withBareRecords(held, pairs, saidBy));
    const assumed = await dedupOf(
      withBareRecords(held, pairs, (pair, side) => saidBy(pair, side) || (side === 'ctgov' && !saidBy(pair, 'isrctn'))),
    );
    const oneToOne = pairs.filter(({ isOneToOne }) => isOneToOne);
    const assertedByOthers = pairs.filter(({ sources }) => OTHERS.test(sources));
    return {
      rows: [
        wholeRow('all pairs, as the registries are known to state them', pairs, stated),
        recallOf('one-to-one pairs among them', oneToOne, stated),
        recallOf(
          'pairs in groups of several partners',
          pairs.filter((pair) => !oneToOne.includes(pair)),
          stated,
        ),
        recallOf('pairs that a cross-registration study or a linked list asserts too', assertedByOthers, stated),
        wholeRow('all pairs, if ClinicalTrials.gov states those that ISRCTN does not', pairs, assumed),
        recallOf('one-to-one pairs among them', oneToOne, assumed),
      ],
      remarks: [
        'The list repeats what registries state, so the precision says that no other pair is merged, not that each statement is right. Of statements by one side that were checked by hand elsewhere, 79 of 81 were right ([deduplication](deduplication.md)).',
        'Pairs of the last two lines whose statement is not held are taken to be stated once, by ClinicalTrials.gov: this measures the resolution alone.',
      ],
    };
  },
};
