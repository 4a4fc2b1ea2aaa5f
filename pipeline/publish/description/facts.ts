import type { DescribedTable } from '../../../contract/fields/snapshot-tables.ts';
import { REGISTRY_IDS } from '../../../contract/ids.ts';
import { loadRegistrySources } from '../../../snapshot/format/registry-sources.ts';
import { type Manifest, SNAPSHOT_TABLES } from '../../../snapshot/format/versions/manifest.ts';
import type { FileSum } from '../durable.ts';

/** A snapshot as its descriptions see it: the manifest without them. */
export type DescribedSnapshot = Pick<
  Manifest,
  | ('version' | 'identity' | 'createdAt' | 'asOf' | 'corpus' | 'contentHash' | 'registries' | 'counts')
  | ('tables' | 'serving' | 'storedChanges' | 'superseded')
>;

export interface Licence {
  /** Of the Open Definition. */
  id: string;
  title: string;
  url: string;
}

/** What is said of the data set as a whole, for each of the forms that say it. */
export interface DatasetFacts {
  name: string;
  title: string;
  description: string;
  /** Registries that the rows come from; none for the synthetic sample. */
  sources: { title: string; publisher: string; url: string; licence: Licence }[];
  licences: Licence[];
  citation: string;
  creator: string;
  keywords: string[];
}

const CODE_LICENCE: Licence = {
  id: 'Apache-2.0',
  title: 'Apache License 2.0, for the compilation and its descriptions',
  url: 'https://www.apache.org/licenses/LICENSE-2.0',
};
const CREATOR = 'The trial-board contributors';

export function factsOf({ version, identity, asOf, corpus, registries, counts }: DescribedSnapshot): DatasetFacts {
  const reviewed = loadRegistrySources();
  const held = REGISTRY_IDS.filter((id) =>
    registries.some(({ registry, registrations }) => registry === id && registrations !== null),
  );
  const sources = (corpus === 'sample' ? [] : held).map((id) => {
    const { name, publisher, baseUrl, licence, licenceId, licenceUrl } = reviewed.of(id);
    return {
      title: name,
      publisher,
      url: baseUrl,
      licence: { id: licenceId, title: `${name}: ${licence}`, url: licenceUrl },
    };
  });
  const what =
    corpus === 'sample'
      ? 'Synthetic sample of trial registrations'
      : 'Deduplicated index of clinical trial registrations';
  const named = sources.map(({ title }) => title).join(' and ');
  const from =
    corpus === 'sample' ? 'Every record is invented.' : `Records of ${named}, each as received and normalised.`;
  return {
    name: 'trial-board-snapshot',
    title: `${what}, as of ${asOf}`,
    description: `${from} ${counts.trials} trials of ${counts.registrations} registrations, joined by the identifiers that they state, with the evidence for each. Items of feeds (signals) keep the terms of their publishers: data/sources/feeds.json of the project.`,
    sources,
    licences: [...sources.map(({ licence }) => licence), CODE_LICENCE],
    citation: `${CREATOR}: ${what}, as of ${asOf}, version ${version}, identity sha256:${identity}.${sources.map(({ title, publisher }) => ` Data from ${title} (${publisher}).`).join('')}`,
    creator: CREATOR,
    keywords: ['clinical trials', 'trial registration', 'deduplication', ...sources.map(({ title }) => title)],
  };
}

export interface TableFiles {
  table: DescribedTable;
  rows: number;
  files: FileSum[];
}

/** The tables with their files; one that a version does not have is left out. */
export function tablesOf({ tables, storedChanges, superseded }: DescribedSnapshot): TableFiles[] {
  const held: Partial<Record<DescribedTable, Pick<TableFiles, 'rows' | 'files'> | null>> = {
    ...tables,
    changes: storedChanges ?? null,
    superseded: superseded ?? null,
  };
  return [...SNAPSHOT_TABLES, 'changes' as const, 'superseded' as const].flatMap((table) => {
    const one = held[table];
    return one ? [{ table, rows: one.rows, files: one.files }] : [];
  });
}
