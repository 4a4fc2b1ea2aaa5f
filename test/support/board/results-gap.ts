import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TrialLiterature } from '../../../board-server/results-gap/literature.ts';
import { Population } from '../../../board-server/results-gap/population.ts';
import { writeGapRows } from '../../../pipeline/publish/serving/results-gap-file.ts';
import { RESULTS_GAP_FILE, type ResultsGapState } from '../../../snapshot/format/results-gap.ts';
import { readCurrent, snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { registryDate } from '../../builders/registration.ts';
import { type FakePapers, papersSaying } from './cure-lab.ts';

/** The population of the sample corpus. */
export async function samplePopulation(): Promise<{ current: Population | null }> {
  const snapshots = inject('sampleSnapshots');
  const version = await readCurrent(snapshots);
  return { current: version === null ? null : await Population.open(snapshotPath(snapshots, version), version) };
}

export interface GivenTrial {
  nctId: string;
  /** YYYY-MM-DD or YYYY-MM; null for none. */
  completed: string | null;
  topics?: string[];
  /** Those by words, where it is left out. */
  topicsByConcepts?: string[];
  state?: ResultsGapState;
}

const SOURCES = [{ id: 'mesh' as const, name: 'MeSH', year: '2021', licence: 'none' }];

/** Files that were written, by their trials: tests open a board each over the same few. */
const written = new Map<string, Uint8Array>();

/** A population of these trials, written to and read from the real file. */
export async function populationOf(
  trials: readonly GivenTrial[],
  asOf = '2026-11-21',
  held: readonly string[] = [],
): Promise<{ current: Population }> {
  const key = JSON.stringify(trials);
  const bytes = written.get(key) ?? (await populationBytes(trials));
  written.set(key, bytes);
  return {
    current: Population.fromBytes(bytes, RESULTS_GAP_FILE, {
      ...{ version: '20261121T031500Z-0a1b2c3d', identity: '0'.repeat(64), asOf, held },
    }),
  };
}

/** The file of these trials. */
async function populationBytes(trials: readonly GivenTrial[]): Promise<Uint8Array> {
  const dir = await mkdtemp(join(tmpdir(), 'results-gap-'));
  try {
    const ids = [
      ...new Set(trials.flatMap(({ topics = [], topicsByConcepts = [] }) => [...topics, ...topicsByConcepts])),
    ];
    const topics = ids.map((id) => ({
      id,
      title: id,
      anyOf: [id],
      concepts: { D1: id },
      why: id,
      reviewed: '2026-11-24',
    }));
    const places = (some: readonly string[]) => some.map((id) => ids.indexOf(id)).sort((a, b) => a - b);
    const rows = trials.map(({ nctId, completed, topics = [], topicsByConcepts = topics, state = 'none' }) => ({
      ...{ nctId, state, canonicalId: `trial_${nctId}`, title: `Trial ${nctId}` },
      ...{ primaryCompletion: completed === null ? null : registryDate(completed), completion: null },
      ...{ topics: places(topics), topicsByConcepts: places(topicsByConcepts) },
    }));
    const inOrder = rows.sort((a, b) => (a.nctId < b.nctId ? -1 : 1));
    writeGapRows(dir, inOrder, topics, SOURCES);
    return await readFile(join(dir, RESULTS_GAP_FILE));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The literature's answer to a question; `silent` means that it does not answer. */
export type Said = (nctId: string, claim: { pmid: string | null; doi: string | null }) => Ties | 'silent';
/** How the index ties the paper (or, where none is named, any paper) to the trial; `none` means that it does not. */
export type Ties = 'databank' | 'abstract' | 'none';

export interface FakeLiterature extends TrialLiterature {
  /** Every question that was asked, as `NCT… pmid doi`. */
  questions: string[];
}

/** A literature index that answers as `said` does. */
export function literatureSaying(said: Said): FakeLiterature {
  const questions: string[] = [];
  return {
    questions,
    checkTrial: async (nctId, { pmid = null, doi = null }) => {
      questions.push(`${nctId} ${pmid ?? '-'} ${doi ?? '-'}`);
      const ties = said(nctId, { pmid, doi });
      const claims = pmid !== null || doi !== null;
      if (ties === 'silent') {
        const asked = { source: 'pubmed', state: 'unanswered', at: null, ageSeconds: null, reason: 'timeout' } as const;
        return { class: 'pubmed_unreachable', papers: [], asked: [asked] };
      }
      const asked = {
        source: 'pubmed',
        state: 'answered',
        at: '2026-11-21T11:59:00.000Z',
        ageSeconds: 60,
        reason: null,
      } as const;
      if (ties === 'none') return { class: claims ? 'unverified' : 'pubmed_none', papers: [], asked: [asked] };
      const paper = {
        pmid: pmid ?? '41000001',
        doi,
        title: 'A paper of this trial',
        journal: null,
        year: 2024,
        openAccess: null,
        citations: null,
        source: 'pubmed',
        matchedIdentifier: nctId,
        matchedBy: ties,
        isPreprint: false,
        retracted: false,
      } as const;
      const verification = ties === 'databank' ? 'registry_linked' : 'abstract_mentions';
      return { class: claims ? verification : 'pubmed_links_exist', papers: [paper], asked: [asked] };
    },
  };
}

/** A literature index that knows only papers whose PubMed id begins with 41, and ties them to any trial. */
export function quietLiterature(): FakeLiterature & FakePapers {
  return {
    ...papersSaying((id) => (id.startsWith('41') ? 'found' : 'not_found')),
    ...literatureSaying((_nctId, { pmid }) => (pmid?.startsWith('41') ? 'databank' : 'none')),
  };
}
