import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CAPITALS } from '../../../contract/schemas/trials/signals.ts';
import {
  NO_CAPITAL,
  NO_CLASS,
  SIGNAL_DOMAINS_FILE,
  SIGNAL_ITEMS_FILE,
  SIGNAL_ITEMS_PER_BATCH,
  SIGNAL_NAMES_KEY,
  SIGNAL_TERMS_FILE,
  SIGNALS_FILE,
} from '../../../snapshot/format/signals.ts';
import { indexKeys } from '../../../snapshot/format/words/tokens.ts';
import { numberData, textData, writeColumns } from '../../../snapshot/image/arrow-file.ts';
import { writePostings } from '../../../snapshot/image/postings.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { Database } from '../../store/database.ts';
import { BinaryFile } from './binary-file.ts';
import { termIndex } from './terms/trial-terms.ts';

/** A row of the query below. */
interface SignalRow {
  title: string;
  summary: string | null;
  /** Since 1970-01-01: the day of publication if it is usable, else the day first seen. */
  day: number;
  category: string;
  domain: string;
  capital: string | null;
  lexicon_class: string | null;
  /** As JSON, as it is served. */
  item: string;
}

const QUERY = `
  SELECT title, summary, category, coalesce(domain, 'not stated') AS domain, capital, lexicon_class,
    CAST("day" - DATE '1970-01-01' AS INTEGER) AS "day",
    CAST(to_json({
      'id': id, 'title': title, 'url': url, 'source': source, 'publisher': publisher, 'language': language, 'category': category,
      'day': CAST("day" AS VARCHAR), 'dateBasis': date_basis, 'capitalTerms': capital_terms, 'lexiconClass': lexicon_class,
      'classTerms': class_terms
    }) AS VARCHAR) AS item
  FROM (SELECT *, CAST(substr(CAST(coalesce(published_at, first_seen_at) AS VARCHAR), 1, 10) AS DATE) AS "day"
    FROM read_parquet({path}))
  ORDER BY "day" DESC, id`;

/**
 * Writes the signal part of the serving image (snapshot/format/signals.ts). Writes nothing when the snapshot has no table of signals:
 * the server then answers that signals are unavailable.
 */
export async function writeSignalFiles(database: Database, snapshotDir: string, outDir: string): Promise<void> {
  const path = join(snapshotDir, 'signals.parquet');
  if (!existsSync(path)) return;
  using items = new BinaryFile(join(outDir, SIGNAL_ITEMS_FILE), ['item'], SIGNAL_ITEMS_PER_BATCH);
  const index = termIndex();
  const rows: Omit<SignalRow, 'title' | 'summary' | 'item'>[] = [];
  for await (const chunk of database.stream(QUERY.replace('{path}', sqlLiteral(path)))) {
    for (const { title, summary, item, ...row } of chunk as unknown as SignalRow[]) {
      index.beginRow(rows.length);
      for (const key of [title, summary ?? ''].flatMap(indexKeys)) index.add(key);
      rows.push(row);
      items.add([item.includes('\\u') ? JSON.stringify(JSON.parse(item)) : item]);
    }
  }
  items.close();
  const classes = numbered(rows.flatMap(({ lexicon_class: name }) => name ?? []));
  const categories = numbered(rows.map(({ category }) => category));
  const domains = numbered(rows.map(({ domain }) => domain));
  if (Math.max(classes.size, categories.size) > NO_CLASS)
    throw new Error(`the signals have more than ${NO_CLASS} classes or categories`);
  const columns = {
    day: numberData(Int32Array.from(rows, ({ day }) => day)),
    capital: numberData(Uint8Array.from(rows, ({ capital }) => capitalNumber(capital))),
    class: numberData(Uint8Array.from(rows, ({ lexicon_class: name }) => classes.get(name ?? '') ?? NO_CLASS)),
    category: numberData(Uint8Array.from(rows, ({ category }) => categories.get(category)!)),
    domain: numberData(Uint32Array.from(rows, ({ domain }) => domains.get(domain)!)),
  };
  const names = JSON.stringify({ classes: [...classes.keys()], categories: [...categories.keys()] });
  writeColumns(join(outDir, SIGNALS_FILE), columns, { [SIGNAL_NAMES_KEY]: names });
  writeColumns(join(outDir, SIGNAL_DOMAINS_FILE), { name: textData(domains.keys()) });
  writePostings(join(outDir, SIGNAL_TERMS_FILE), index.sorted(), rows.length);
}

/** A number for each name, in the order of first use. */
function numbered(names: readonly string[]): Map<string, number> {
  return new Map([...new Set(names)].map((name, number) => [name, number]));
}

function capitalNumber(capital: string | null): number {
  if (capital === null) return NO_CAPITAL;
  const place = CAPITALS.findIndex(({ id }) => id === capital);
  if (place < 0) throw new Error(`a signal has the capital ${JSON.stringify(capital)}`);
  return place;
}
