import type { Table } from 'apache-arrow';
import type { SignalItem } from '../../contract/schemas/trials/signals.ts';
import {
  isCureClass,
  SIGNAL_DOMAINS_FILE,
  SIGNAL_ITEMS_FILE,
  SIGNAL_ITEMS_PER_BATCH,
  SIGNAL_NAMES_KEY,
  SIGNAL_TERMS_FILE,
  SIGNALS_FILE,
} from '../../snapshot/format/signals.ts';
import { type BinaryColumn, binaryColumn, numberColumn, onlyBatch, textAt } from '../../snapshot/image/arrow-reader.ts';
import { type Posting, postingAt, readPostings } from '../../snapshot/image/postings.ts';

/** Reason why a snapshot's signals cannot be read, for the log. */
export interface SignalImageFault {
  fault: Error;
}

/**
 * The signal part of a snapshot's serving image (snapshot/format/signals.ts), mapped. It is valid while its snapshot image
 * is held. Rows are items, newest day first, then by id.
 */
export interface SignalImage {
  fault: null;
  rows: number;
  /** Days since 1970-01-01. */
  day: Int32Array;
  capital: Uint8Array;
  category: Uint8Array;
  domain: Uint32Array;
  /** For each number in `class`: whether that class counts towards the cure pulse. */
  class: Uint8Array;
  cureClasses: boolean[];
  categories: string[];
  domainName: (number: number) => string;
  domains: number;
  /** Rows whose title or summary holds a token. */
  posting: (key: string) => Posting | null;
  item: (row: number) => SignalItem;
}

/** Opens the signal files; `open` maps a file of the image. Returns a fault if a file is missing or unreadable; never throws. */
export function openSignals(open: (name: string) => Table): SignalImage | SignalImageFault {
  try {
    return readSignals(open);
  } catch (error) {
    return { fault: error instanceof Error ? error : new Error(String(error)) };
  }
}

function readSignals(open: (name: string) => Table): SignalImage {
  const table = open(SIGNALS_FILE);
  const batch = onlyBatch(table, SIGNALS_FILE);
  const names = JSON.parse(table.schema.metadata.get(SIGNAL_NAMES_KEY) ?? 'null') as {
    classes: string[];
    categories: string[];
  };
  const domains = open(SIGNAL_DOMAINS_FILE);
  const domainNames = binaryColumn(onlyBatch(domains, SIGNAL_DOMAINS_FILE), 'name', SIGNAL_DOMAINS_FILE);
  const terms = readPostings(open(SIGNAL_TERMS_FILE), SIGNAL_TERMS_FILE);
  const items = open(SIGNAL_ITEMS_FILE);
  if (items.numRows !== table.numRows) {
    throw new Error(`${SIGNAL_ITEMS_FILE} has ${items.numRows} items and ${SIGNALS_FILE} ${table.numRows}`);
  }
  const itemBatches = items.batches.map((held) => binaryColumn(held, 'item', SIGNAL_ITEMS_FILE));
  return {
    fault: null,
    rows: table.numRows,
    day: numberColumn(batch, 'day', SIGNALS_FILE),
    capital: numberColumn(batch, 'capital', SIGNALS_FILE),
    category: numberColumn(batch, 'category', SIGNALS_FILE),
    domain: numberColumn(batch, 'domain', SIGNALS_FILE),
    class: numberColumn(batch, 'class', SIGNALS_FILE),
    cureClasses: names.classes.map(isCureClass),
    categories: names.categories,
    domainName: (number) => textAt(domainNames, number),
    domains: domains.numRows,
    posting: (key) => postingAt(terms, terms.keys.find(key)),
    item: (row) => {
      const column = itemBatches[Math.floor(row / SIGNAL_ITEMS_PER_BATCH)] as BinaryColumn;
      return JSON.parse(textAt(column, row % SIGNAL_ITEMS_PER_BATCH)) as SignalItem;
    },
  };
}
