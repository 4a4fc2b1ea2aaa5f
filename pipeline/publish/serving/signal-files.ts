import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CAPITALS } from '../../../contract/schemas/trials/signals.ts';
import {
  CAPITAL_COUNT_COLUMNS,
  isCureClass,
  NO_CAPITAL,
  NO_CLASS,
  SIGNAL_DAYS_FILE,
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
  const [classes, categories, domains] = [new Names(), new Names(), new Names()];
  const rows: Record<'day' | 'capital' | 'class' | 'category' | 'domain', number>[] = [];
  for await (const chunk of database.stream(QUERY.replace('{path}', sqlLiteral(path)))) {
    for (const row of chunk as unknown as SignalRow[]) {
      index.beginRow(rows.length);
      for (const key of [row.title, row.summary ?? ''].flatMap(indexKeys)) index.add(key);
      rows.push({
        day: row.day,
        capital: capitalNumber(row.capital),
        class: row.lexicon_class === null ? NO_CLASS : below(NO_CLASS, classes.numberOf(row.lexicon_class)),
        category: below(NO_CLASS, categories.numberOf(row.category)),
        domain: domains.numberOf(row.domain),
      });
      items.add([row.item.includes('\\u') ? JSON.stringify(JSON.parse(row.item)) : row.item]);
    }
  }
  items.close();
  const columns = {
    day: numberData(Int32Array.from(rows, ({ day }) => day)),
    capital: numberData(Uint8Array.from(rows, ({ capital }) => capital)),
    class: numberData(Uint8Array.from(rows, (row) => row.class)),
    category: numberData(Uint8Array.from(rows, ({ category }) => category)),
    domain: numberData(Uint32Array.from(rows, ({ domain }) => domain)),
  };
  const names = JSON.stringify({ classes: classes.all, categories: categories.all });
  writeColumns(join(outDir, SIGNALS_FILE), columns, { [SIGNAL_NAMES_KEY]: names });
  writeColumns(join(outDir, SIGNAL_DOMAINS_FILE), { name: textData(domains.all) });
  writePostings(join(outDir, SIGNAL_TERMS_FILE), index.sorted(), rows.length);
  writeDays(join(outDir, SIGNAL_DAYS_FILE), rows, classes.all.map(isCureClass));
}

/** Writes the counts by day. A window without a keyword is their sum, so that it costs its days and not its items. */
function writeDays(
  path: string,
  rows: readonly { day: number; capital: number; class: number }[],
  isCure: readonly boolean[],
): void {
  const days: { day: number; end: number; counts: number[]; cure: number }[] = [];
  for (const [row, { day, capital, class: lexiconClass }] of rows.entries()) {
    let last = days.at(-1);
    if (last?.day !== day) {
      last = { day, end: 0, counts: CAPITAL_COUNT_COLUMNS.map(() => 0), cure: 0 };
      days.push(last);
    }
    last.end = row + 1;
    last.counts[capital]! += 1;
    if (isCure[lexiconClass]) last.cure += 1;
  }
  const counted = CAPITAL_COUNT_COLUMNS.map((name, place) => {
    return [name, numberData(Uint32Array.from(days, ({ counts }) => counts[place]!))];
  });
  writeColumns(path, {
    day: numberData(Int32Array.from(days, ({ day }) => day)),
    end: numberData(Uint32Array.from(days, ({ end }) => end)),
    ...Object.fromEntries(counted),
    cure: numberData(Uint32Array.from(days, ({ cure }) => cure)),
  });
}

/** Numbers names in the order of first use. */
class Names {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.all.length);
    return this.all.push(name) - 1;
  }
}

function capitalNumber(capital: string | null): number {
  if (capital === null) return NO_CAPITAL;
  const place = CAPITALS.findIndex(({ id }) => id === capital);
  if (place < 0) throw new Error(`a signal has the capital ${JSON.stringify(capital)}`);
  return place;
}

function below(limit: number, number: number): number {
  if (number < limit) return number;
  throw new Error(`the signals have more than ${limit} classes or categories`);
}
