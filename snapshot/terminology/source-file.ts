import { gunzipSync, gzipSync } from 'node:zlib';

/** The file in which the names of one source are kept, gzipped: a line of JSON with the statement, then a line per descriptor. */

export type TermSource = 'mesh' | 'disease-ontology' | 'reviewed';

/** What an answer says of a source that it rests on. */
export interface SourceStatement {
  id: TermSource;
  name: string;
  year: string;
  licence: string;
  /** Names of the source that are recognised. */
  terms: number;
}

export interface SourceFile {
  statement: Omit<SourceStatement, 'terms'>;
  rows: SourceRow[];
}

export interface SourceRow {
  /** MeSH descriptor. */
  descriptor: string;
  /** Empty where the source only adds names to MeSH. */
  heading: string;
  treeNumbers: string[];
  names: string[];
}

const FORMAT = 1;
/** Descriptor, heading, tree numbers and names, the last two separated by `|`. */
const COLUMNS = 4;

export class SourceFileFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SourceFileFault';
  }
}

export function writeSourceFile({ statement, rows }: SourceFile): Buffer {
  const lines = rows.map(({ descriptor, heading, treeNumbers, names }) =>
    [descriptor, heading, treeNumbers.join('|'), names.join('|')].join('\t'),
  );
  return gzipSync([JSON.stringify({ format: FORMAT, ...statement }), ...lines].join('\n'), { level: 9 });
}

/** Throws SourceFileFault for bytes that `writeSourceFile` did not write. */
export function readSourceFile(bytes: Uint8Array): SourceFile {
  const [first = '', ...lines] = unpacked(bytes).split('\n');
  const { format, ...statement } = statementOf(first);
  if (format !== FORMAT) throw new SourceFileFault(`the file of names has format ${format}; expected ${FORMAT}`);
  return { statement, rows: lines.map(rowOf) };
}

function unpacked(bytes: Uint8Array): string {
  try {
    return gunzipSync(bytes).toString('utf8');
  } catch (error) {
    throw new SourceFileFault(
      `the file of names cannot be unpacked: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function statementOf(line: string): SourceFile['statement'] & { format: number } {
  try {
    return JSON.parse(line) as SourceFile['statement'] & { format: number };
  } catch {
    throw new SourceFileFault('the file of names does not begin with its statement');
  }
}

function rowOf(line: string): SourceRow {
  const columns = line.split('\t');
  if (columns.length !== COLUMNS) throw new SourceFileFault(`a line of the file of names has not ${COLUMNS} columns`);
  const [descriptor = '', heading = '', trees = '', names = ''] = columns;
  return { descriptor, heading, treeNumbers: listOf(trees), names: listOf(names) };
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split('|');
}
