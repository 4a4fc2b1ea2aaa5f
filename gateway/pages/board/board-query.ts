import { listClaims } from '../../../contract/operations/claims.ts';
import { listFindings } from '../../../contract/operations/findings.ts';
import { readThreads } from '../../../contract/operations/threads.ts';

/** Entries of each list on the board page: three lists fill one page. */
const SHOWN_ITEMS = 10;

const FILTERS = ['objectiveId', 'questionId', 'agentName'] as const;
export type BoardFilter = (typeof FILTERS)[number];
/** Lists that are paged separately, each by its own parameter. */
export type BoardList = 'claims' | 'findings' | 'messages';

/** The request to `/board`. */
export interface BoardQuery {
  filters: Partial<Record<BoardFilter, string>>;
  cursors: Partial<Record<BoardList, string>>;
}

export function boardQuery(query: URLSearchParams): BoardQuery {
  const given = <Name extends string>(names: readonly Name[]) => {
    const entries = names.map((name) => [name, query.get(name) ?? ''] as const).filter(([, value]) => value !== '');
    return Object.fromEntries(entries) as Partial<Record<Name, string>>;
  };
  return { filters: given(FILTERS), cursors: given(['claims', 'findings', 'messages']) };
}

/**
 * The board's address with one parameter changed; an empty value removes it. Changing a filter starts every list anew.
 */
export function boardAddress({ filters, cursors }: BoardQuery, name: BoardFilter | BoardList, value: string): string {
  const isFilter = (FILTERS as readonly string[]).includes(name);
  const entries = { ...filters, ...(isFilter ? {} : cursors), [name]: value };
  const query = new URLSearchParams(Object.entries(entries).filter(([, text]) => text !== ''));
  return query.size === 0 ? '/board' : `/board?${query}`;
}

/** The reads of the three lists; null for messages if the filters do not apply to them. */
export function boardReads({ filters, cursors }: BoardQuery) {
  const page = (list: BoardList) => ({ limit: SHOWN_ITEMS, cursor: cursors[list] });
  return {
    claims: { operation: listClaims, given: { ...filters, ...page('claims') } },
    findings: { operation: listFindings, given: { ...filters, ...page('findings') } },
    messages:
      filters.agentName === undefined
        ? { operation: readThreads, given: threadGiven(filters, page('messages')) }
        : null,
  } as const;
}

function threadGiven({ objectiveId, questionId }: BoardQuery['filters'], page: Record<string, unknown>) {
  if (objectiveId !== undefined) return { subjectType: 'objective', subjectId: objectiveId, ...page };
  if (questionId !== undefined) return { subjectType: 'question', subjectId: questionId, ...page };
  return page;
}
