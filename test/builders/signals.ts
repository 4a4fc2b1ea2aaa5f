import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import type { CapitalId } from '../../contract/schemas/trials/signals.ts';
import { openSignals, type SignalImage } from '../../index-server/signals/signal-image.ts';
import { mapFile } from '../../index-server/snapshot/mapped-file.ts';
import { writeSignalFiles } from '../../pipeline/publish/serving/signal-files.ts';
import { Database } from '../../pipeline/store/database.ts';
import { readImageTable } from '../../snapshot/image/arrow-reader.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';

/** A row of the table `signals`, in its own columns. */
export interface SignalRow {
  id: string;
  source: string;
  publisher: string;
  language: string;
  url: string;
  title: string;
  summary: string | null;
  published_at: string | null;
  first_seen_at: string;
  date_basis: 'published' | 'updated' | 'first_seen';
  category: string;
  domain: string;
  capital: CapitalId | null;
  capital_terms: string[];
  lexicon_class: string | null;
  class_terms: string[];
}

/** An item with only its id, its day and the given columns. */
export function signalRow(id: string, day: string, given: Partial<SignalRow> = {}): SignalRow {
  return {
    id,
    source: 'sample-news',
    publisher: 'Sample Publisher',
    language: 'en',
    url: `https://news.example/${id}`,
    title: `Item ${id}`,
    summary: null,
    published_at: `${day}T08:00:00.000Z`,
    first_seen_at: `${day}T09:00:00.000Z`,
    date_basis: 'published',
    category: 'news',
    domain: 'news.example',
    capital: null,
    capital_terms: [],
    lexicon_class: null,
    class_terms: [],
    ...given,
  };
}

const COLUMN_TYPES = Object.keys(signalRow('', '')).map(
  (name) => `'${name}': '${name.endsWith('_terms') ? 'VARCHAR[]' : 'VARCHAR'}'`,
);

/** Writes signals.parquet of the rows into a snapshot directory. */
export async function writeSignalTable(rows: readonly SignalRow[], dir: string): Promise<void> {
  await using database = await Database.open(':memory:');
  const file = join(dir, 'signals.ndjson');
  await writeFile(file, rows.map((row) => JSON.stringify(row)).join('\n'));
  const source = `read_json(${sqlLiteral(file)}, format = 'nd', columns = {${COLUMN_TYPES.join(', ')}})`;
  await database.run(`COPY (SELECT * FROM ${source}) TO ${sqlLiteral(join(dir, 'signals.parquet'))} (FORMAT parquet)`);
  await rm(file);
}

export interface BuiltSignals extends AsyncDisposable {
  image: SignalImage;
  dir: string;
}

/** Writes the rows as a Parquet table, builds the signal files and opens them. */
export async function buildSignals(rows: readonly SignalRow[]): Promise<BuiltSignals> {
  const dir = await mkdtemp(join(tmpdir(), 'signals-'));
  const serving = join(dir, 'serving');
  await mkdir(serving);
  await writeSignalTable(rows, dir);
  await using database = await Database.open(':memory:');
  await writeSignalFiles(database, dir, serving);
  const files: { release(): void }[] = [];
  const open = (name: string): Table => {
    const file = mapFile(join(serving, name));
    files.push(file);
    return readImageTable(file.bytes, name);
  };
  const image = openSignals(open);
  if (image.fault !== null) throw image.fault;
  return {
    image,
    dir,
    [Symbol.asyncDispose]: async () => {
      for (const file of files) file.release();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
