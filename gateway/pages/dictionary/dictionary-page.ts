import {
  type DescribedColumn,
  digestedColumns,
  SNAPSHOT_TABLE_DESCRIPTIONS,
  type TableDescription,
} from '../../../contract/fields/snapshot-tables.ts';
import { type Html, html } from '../html.ts';
import { table } from '../kit/parts.ts';
import type { Page } from '../page.ts';

/** Every table and column of a snapshot, from their description in the contract; it is the same for all versions. */
export const dictionaryPage: Page = {
  id: 'page-dictionary',
  respond() {
    const tables = Object.entries(SNAPSHOT_TABLE_DESCRIPTIONS);
    return {
      main: html`<p>The Parquet tables of every snapshot. Each version has the same as <code>schema.json</code> and as a Data Package among its <a href="/snapshots">files</a>.</p>
<p id="leaf">In a proof a row is written for its leaf: as JSON by RFC 8785 with the columns below, without run times, and in <code>trials</code> and <code>registrations</code> with prose and long lists as the lower-case hex of their SHA-256 under <code>&lt;column&gt;_sha256</code> (of a text its UTF-8 bytes, of a list its JSON by RFC 8785; null stays null), so <code>brief_summary_sha256</code> is that of <code>brief_summary</code>.</p>
<div class="dictionary">${tables.map(([name, description]) => tableSection(name, description))}</div>`,
    };
  },
};

function tableSection(name: string, { row, meaning, sortedBy, isKeyed, columns }: TableDescription): Html {
  const digested = digestedColumns({ columns });
  // A link to the id opens the fold, because the id is of what is folded away.
  return html`<details><summary><h2>${name}</h2>: one row per ${row}</summary>
<div id="${name}"><p>One row per ${row}: ${meaning}. ${isKeyed ? 'Key and order' : 'Order, no key'}: ${sortedBy.join(', ')}.${digested.length > 0 && ` In its leaf as SHA-256: ${digested.join(', ')}.`}</p>
${table(`Columns of ${name}`, columns, [
  ['Column', (column) => html`<code>${column.name}</code>`],
  ['Type or values', ({ type, words }) => words?.join(', ') ?? type],
  ['Meaning', meaningOf],
  ['Null', (column) => column.null ?? 'never'],
  ['ClinicalTrials.gov', ({ source }) => source?.clinicaltrials_gov ?? ''],
  ['ISRCTN', ({ source }) => source?.isrctn ?? ''],
  ['In a trial of two registrations', ({ merged }) => merged ?? ''],
])}</div></details>
`;
}

function meaningOf({ meaning, unit, defect }: DescribedColumn): string {
  const parts = [meaning, ...(unit === undefined || meaning.includes(unit) ? [] : [unit])];
  return [...parts, ...(defect === undefined ? [] : [`known defect: ${defect}`])].join('; ');
}
