import type { SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import type { ResearchObject } from '../../contract/declared/research.ts';
import { LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Fail, RequestContext } from '../../server-kit/mount.ts';
import { toIso } from '../store/instants.ts';
import { countOf, newestPage } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables, RowOf, TableWith } from '../store/tables.ts';
import { talliedRows } from '../store/tally-store.ts';
import type { Transaction } from '../store/transaction.ts';
import { excerpt } from './excerpt.ts';
import { appliedOf, pageOf, shown } from './pagination.ts';
import { researchEvent } from './research-event.ts';

/** `howFar` as `how_far`. */
type Column<Field extends string> = Field extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Column<Rest>}`
  : '';

type Stored<Field, Value> = Value extends readonly unknown[]
  ? string
  : Field extends `${string}At`
    ? number | Extract<Value, null>
    : Value;

/** Row of a resource: a column for each field of its answers, and those that every resource has. */
export type ResourceRow<Fields> = {
  [Field in keyof Fields & string as Column<Field>]: Stored<Field, Fields[Field]>;
} & { id: string; seq: number; agent_name: string; address_hash: string; content_hash: string };

type ResourceTable = TableWith<'content_hash'> & TableWith<'id'> & TableWith<'agent_name'>;
type Named = Record<string, unknown>;

interface Declared<Table extends ResourceTable, Shape extends z.ZodRawShape> {
  table: Table;
  /** What its ids begin with. */
  prefix: string;
  /** Names it in content hashes and events. */
  object: ResearchObject;
  /** Column that names a thing in its events. */
  title: keyof RowOf<Table> & string;
  /** Fields of an answer that are columns; lists are stored as JSON, `…At` as microseconds. */
  fields: z.ZodObject<Shape>;
  /** Filters of the list before its state, the narrowest first: the first that is given chooses the index. */
  filters: readonly (keyof Shape & string)[];
}

/** What a new thing needs beside its content. */
interface Addition<Table extends ResourceTable> {
  address: string;
  /** Columns that are no content. */
  initial: Partial<RowOf<Table>>;
  verb: string;
  /** What the event says beside the title. */
  eventData: Named;
  /** Refuses content that the board does not take; skipped for what is stored already. */
  check(): Promise<void>;
}

/** A surface of the board that agents add to: its row, hash, event, list and answers follow from its fields. */
export function resource<Table extends ResourceTable, Shape extends z.ZodRawShape>(declared: Declared<Table, Shape>) {
  const { table, prefix, object, title, filters } = declared;
  const columns = columnsOfFields(declared.fields.shape);
  const present = (row: RowOf<Table>): z.output<z.ZodObject<Shape>> =>
    answerOf(columns, row as Named) as z.output<z.ZodObject<Shape>>;

  /** Appends the event of something done to a thing. */
  async function addEvent(
    tx: Transaction,
    ts: number,
    row: RowOf<Table>,
    verb: string,
    agentName: string,
    data: Named,
  ) {
    const { id: objectId, [title]: text } = row as Named & { id: string };
    const eventData = { title: excerpt(text as string, LINE_EXCERPT_MAX_CHARACTERS), ...data };
    await tx.appendEvent(ts, researchEvent(object, verb, { objectId, agentName, data: eventData }));
  }

  /** Stores a thing with its event, or gives the one that says exactly the same. */
  async function add(
    tx: Transaction,
    content: Named & { agentName: string },
    { address, initial, verb, eventData, check }: Addition<Table>,
  ): Promise<{ created: boolean; row: RowOf<Table> }> {
    const content_hash = contentHash(object, content);
    const same = await tx.byContent(table, content_hash);
    if (same) return { created: false, row: same };
    await check();
    const ts = tx.nextTime();
    const row = { ...tx.newRow(prefix, ts, address), ...columnsOf(content), content_hash, ...initial };
    await tx.insert(table, row as never);
    const stored = row as unknown as RowOf<Table>;
    await addEvent(tx, ts, stored, verb, content.agentName, eventData);
    return { created: true, row: stored };
  }

  /** Exact number of things that match: from the tallies, else by reading every match of the narrowest filter. */
  async function count(db: Reader, filter: Named): Promise<number> {
    if (filters.some((field) => filter[field] !== undefined))
      return countOf(matching(db, table, [...filters, 'state'], filter));
    return talliedRows(db, table, filter.state as string | undefined);
  }

  /** A page of the list `id`, newest first, and the `_meta` of its answer. */
  async function list(
    db: Reader,
    id: string,
    query: Named & { limit: number; offset: number; cursor?: string | undefined },
    context: RequestContext,
    fail: Fail<'INVALID_PARAM'>,
  ) {
    const { limit, offset, cursor, ...filter } = query;
    const asked = pageOf(id, filter, { limit, offset, cursor }, fail);
    const total = await count(db, filter);
    const matches = matching(db, table, [...filters, 'state'], filter).selectAll();
    const read = (await newestPage(matches, asked.range)) as unknown as (RowOf<Table> & { seq: number })[];
    const { rows, pagination } = shown(asked, read, total);
    return { rows, meta: { ...appliedOf(context), pagination } };
  }

  return { table, present, add, addEvent, list };
}

interface FieldColumn {
  field: string;
  column: string;
  isList: boolean;
}

function columnsOfFields(shape: z.ZodRawShape): FieldColumn[] {
  return Object.entries(shape).map(([field, type]) => ({
    field,
    column: columnOf(field),
    isList: type instanceof z.ZodArray,
  }));
}

/** A stored row as its answer. */
function answerOf(columns: readonly FieldColumn[], stored: Named): Named {
  const answer: Named = {};
  for (const { field, column, isList } of columns) {
    const value = stored[column];
    if (isList) answer[field] = JSON.parse(value as string);
    else answer[field] = column.endsWith('_at') && value !== null ? toIso(value as number) : value;
  }
  return answer;
}

/** Things that match. The first filter that is given chooses the index: without statistics SQLite chooses badly. */
function matching(
  db: Reader,
  table: ResourceTable,
  fields: readonly string[],
  filter: Named,
): SelectQueryBuilder<BoardTables, 'dead_ends', object> {
  // Kysely types no table that is a type parameter, so any one stands in for it.
  let query = db.selectFrom(table as 'dead_ends');
  let isChosen = false;
  for (const field of fields) {
    const value = filter[field];
    if (value === undefined) continue;
    const column = columnOf(field) as 'state';
    query = query.where(isChosen ? unindexed<never>(column) : column, '=', value as never);
    isChosen = true;
  }
  return query;
}

/** Content as columns: lists as JSON. */
function columnsOf(content: Named): Named {
  return Object.fromEntries(
    Object.entries(content).map(([field, value]) => [
      columnOf(field),
      Array.isArray(value) ? JSON.stringify(value) : value,
    ]),
  );
}

function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
