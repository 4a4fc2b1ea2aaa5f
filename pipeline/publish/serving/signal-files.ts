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
import {
  ArrowFile,
  BINARY,
  binaryData,
  numberData,
  textData,
  writeColumns,
} from '../../../snapshot/image/arrow-file.ts';
import { ByteColumn, Growable } from '../../../snapshot/image/growable.ts';
import { writePostings } from '../../../snapshot/image/postings.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { Database } from '../../store/database.ts';
import { termIndex } from './terms/trial-terms.ts';

const MS_PER_DAY = 86_400_000;
const COLUMNS = [
  ...['id', 'source', 'publisher', 'language', 'url', 'title', 'summary'],
  ...['date_basis', 'category', 'domain', 'capital', 'capital_terms', 'lexicon_class', 'class_terms'],
];

interface SignalRow {
  id: string;
  source: string;
  publisher: string | null;
  language: string | null;
  url: string | null;
  title: string;
  summary: string | null;
  /** YYYY-MM-DD: the day of publication if it is usable, else the day first seen. */
  day: string;
  date_basis: string;
  category: string;
  domain: string | null;
  capital: string | null;
  capital_terms: string[];
  lexicon_class: string | null;
  class_terms: string[];
}

/**
 * Writes the signal part of the serving image (snapshot/format/signals.ts). Writes nothing when the snapshot has no table of signals:
 * the server then answers that signals are unavailable.
 */
export async function writeSignalFiles(database: Database, snapshotDir: string, outDir: string): Promise<void> {
  const path = join(snapshotDir, 'signals.parquet');
  if (!existsSync(path)) return;
  const gathered = new SignalGatherer();
  using items = new ItemWriter(join(outDir, SIGNAL_ITEMS_FILE));
  const rows = database.stream(
    `SELECT ${COLUMNS.join(', ')}, substr(CAST(coalesce(published_at, first_seen_at) AS VARCHAR), 1, 10) AS "day"
     FROM read_parquet(${sqlLiteral(path)}) ORDER BY "day" DESC, id`,
  );
  for await (const chunk of rows) {
    for (const row of chunk as unknown as SignalRow[]) {
      gathered.add(row);
      items.add(row);
    }
  }
  items.close();
  gathered.write(outDir);
}

/** Numbers names in the order of first use. */
class Names {
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }

  get all(): string[] {
    return [...this.#numbers.keys()];
  }
}

class SignalGatherer {
  readonly #index = termIndex();
  readonly #day = new Growable(Int32Array);
  readonly #capital = new Growable(Uint8Array);
  readonly #class = new Growable(Uint8Array);
  readonly #category = new Growable(Uint8Array);
  readonly #domain = new Growable(Uint32Array);
  readonly #classes = new Names();
  readonly #categories = new Names();
  readonly #domains = new Names();

  add(row: SignalRow): void {
    this.#index.beginRow(this.#day.length);
    this.#day.push(dayOf(row));
    this.#capital.push(capitalNumber(row));
    this.#class.push(
      row.lexicon_class === null ? NO_CLASS : below(NO_CLASS, this.#classes.numberOf(row.lexicon_class)),
    );
    this.#category.push(below(NO_CLASS, this.#categories.numberOf(row.category)));
    this.#domain.push(this.#domains.numberOf(row.domain ?? 'not stated'));
    for (const text of [row.title, row.summary]) {
      if (text !== null) for (const key of indexKeys(text)) this.#index.add(key);
    }
  }

  write(outDir: string): void {
    const columns = {
      day: numberData(this.#day.view()),
      capital: numberData(this.#capital.view()),
      class: numberData(this.#class.view()),
      category: numberData(this.#category.view()),
      domain: numberData(this.#domain.view()),
    };
    const names = JSON.stringify({ classes: this.#classes.all, categories: this.#categories.all });
    writeColumns(join(outDir, SIGNALS_FILE), columns, { [SIGNAL_NAMES_KEY]: names });
    writeColumns(join(outDir, SIGNAL_DOMAINS_FILE), { name: textData(this.#domains.all) });
    writePostings(join(outDir, SIGNAL_TERMS_FILE), this.#index.sorted(), this.#day.length);
  }
}

class ItemWriter implements Disposable {
  readonly #file: ArrowFile;
  readonly #items = new ByteColumn();
  #written = false;

  constructor(path: string) {
    this.#file = new ArrowFile(path, { item: BINARY });
  }

  add(row: SignalRow): void {
    const { id, title, url, source, publisher, language, category, day } = row;
    this.#items.appendText(
      JSON.stringify({
        ...{ id, title, url, source, publisher, language, category, day },
        dateBasis: row.date_basis,
        capitalTerms: row.capital_terms,
        lexiconClass: row.lexicon_class,
        classTerms: row.class_terms,
      }),
    );
    if (this.#items.rows === SIGNAL_ITEMS_PER_BATCH) this.#flush();
  }

  close(): void {
    if (this.#items.rows > 0 || !this.#written) this.#flush();
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  #flush(): void {
    this.#file.write([binaryData(this.#items.take())]);
    this.#written = true;
  }
}

function dayOf(row: SignalRow): number {
  const instant = Date.parse(`${row.day}T00:00:00Z`);
  if (Number.isNaN(instant)) throw new Error(`signal ${row.id} has the day ${JSON.stringify(row.day)}`);
  return instant / MS_PER_DAY;
}

function capitalNumber(row: SignalRow): number {
  if (row.capital === null) return NO_CAPITAL;
  const place = CAPITALS.findIndex(({ id }) => id === row.capital);
  if (place < 0) throw new Error(`signal ${row.id} has the capital ${JSON.stringify(row.capital)}`);
  return place;
}

function below(limit: number, number: number): number {
  if (number < limit) return number;
  throw new Error(`the signals have more than ${limit} classes or categories`);
}
