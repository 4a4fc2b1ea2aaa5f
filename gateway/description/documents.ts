import { readdirSync, readFileSync } from 'node:fs';
import { DOORS } from '../../contract/interfaces/doors.ts';
import { dictionaryText } from './dictionary-text.ts';

/** The texts of docs/ that the service gives to auditors. */

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const PREFIX = 'document-';
type DocumentDoorId = Extract<(typeof DOORS)[number]['id'], `document-${string}`>;
export const DOCUMENT_DOORS = DOORS.flatMap(({ id }) => (id.startsWith(PREFIX) ? [id as DocumentDoorId] : []));

/** Where a link of a document leads at the service. */
const ADDRESSES: Readonly<Record<string, string>> = Object.fromEntries([
  ...DOCUMENT_DOORS.map((id) => [fileOf(id), fileOf(id)]),
  ['queries', 'queries.sql'],
  // In the repository the description of the tables takes the place of the dictionary that is made from it.
  ['../contract/fields/snapshot-tables.ts', 'dictionary.md'],
]);

function fileOf(id: DocumentDoorId): string {
  return `${id.slice(PREFIX.length)}.md`;
}

/** A document as the service gives it: a link to a file that it does not serve says which file that is. */
export function documentText(id: DocumentDoorId): string {
  const text = id === 'document-dictionary' ? dictionaryText() : read(`docs/${fileOf(id)}`);
  return text.replace(
    /\[([^\]]+)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g,
    (_link, text: string, path: string, heading = '') => {
      const address = ADDRESSES[path];
      return address === undefined ? `${text} (docs/${path} of the program)` : `[${text}](${address}${heading})`;
    },
  );
}

/** The questions, each as its file has it. */
export function queriesText(): string {
  const names = readdirSync(new URL('../../docs/queries/', import.meta.url)).sort();
  const texts = names.map((name) => `-- ${name}\n${read(`docs/queries/${name}`)}`);
  return [HOW_TO_READ, ...texts].join('\n');
}

const HOW_TO_READ = `-- Questions to a snapshot. In its folder: duckdb snapshot.duckdb < queries.sql
-- Anywhere else: SET VARIABLE snapshot = '/path/of/the/snapshot', ATTACH its snapshot.duckdb (READ_ONLY), and USE it.
`;

let glossary: string | undefined;

/** What the words of the answers mean. */
export function glossaryText(): string {
  glossary ??= read('docs/glossary.md');
  return glossary;
}
