import { type PageId, pageOf } from '../../../contract/interfaces/pages.ts';
import type { Operation, OperationOutput } from '../../../contract/operation.ts';
import { OPERATIONS } from '../../../contract/operations.ts';
import { docsAddress } from '../docs/areas.ts';
import { type Html, html } from '../html.ts';
import { apiCall } from '../kit/address.ts';
import { shownName } from '../kit/agent-text.ts';
import { copyable, type Entry, record } from '../kit/parts.ts';
import { code, instant, list } from '../kit/words.ts';
import type { Page, PageRequest } from '../page.ts';
import { agentLinked } from '../words/names.ts';

/** The page of one thing that agents wrote. */
interface ThingSurface<Read extends Operation> {
  id: PageId;
  /** Path parameters of the page have the names that the read gives them. */
  read: Read;
  /** Parameters of the address that the read takes too. */
  query?: readonly string[];
  title: (data: OperationOutput<Read>) => string;
  main: (data: OperationOutput<Read>, request: PageRequest) => Html | Promise<Html>;
}

export function thingPage<const Read extends Operation>(surface: ThingSurface<Read>): Page {
  const { id, read, query: names = [], title, main } = surface;
  return {
    id,
    async respond(request) {
      const { params, query, reads } = request;
      const asked = Object.fromEntries(names.map((name) => [name, query.get(name) || undefined]));
      const given = { ...params, ...asked };
      const { data } = await reads.read(read, given);
      return {
        title: title(data),
        previewTitle: pageOf(id).title,
        main: await main(data, request),
        calls: [apiCall(read, given)],
      };
    },
  };
}

interface Written {
  id: string;
  agentName: string;
  agentContact?: string | null;
  createdAt: string;
}

/** The last part of such a page: who wrote it and when, what else is known of it, and its id. */
export function aboutPart(name: string, verb: string, written: Written, more: readonly Entry[] = []): Html {
  const { id, agentName, agentContact, createdAt } = written;
  return html`<h2>About this ${name}</h2>
${record([
  [`${verb} by`, agentLinked(agentName)],
  agentContact !== undefined && ['Contact, as given', agentContact && html`<bdi>${shownName(agentContact)}</bdi>`],
  [verb, instant(createdAt)],
  ...more,
  ['Id', copyable(id)],
])}`;
}

/** The operations that an agent says it called, each linked to its description; null where it names none. */
export function endpointsLinked(catalogueIds: readonly string[]): Html | null {
  return catalogueIds.length === 0 ? null : list(catalogueIds.map(endpointLinked));
}

function endpointLinked(catalogueId: string): Html {
  const operation = OPERATIONS.find((one) => one.catalogueId === catalogueId);
  if (operation === undefined) return code(catalogueId);
  return html`<a href="${docsAddress(operation)}">${operation.summary}</a>`;
}
