import { OPERATIONS } from '../../../contract/operations.ts';
import { docsAddress } from '../docs/areas.ts';
import { type Html, html } from '../html.ts';
import { code, list } from '../kit/words.ts';

/** The operations that an agent says it called, each linked to its description; null where it names none. */
export function endpointsLinked(catalogueIds: readonly string[]): Html | null {
  return catalogueIds.length === 0 ? null : list(catalogueIds.map(endpointLinked));
}

function endpointLinked(catalogueId: string): Html {
  const operation = OPERATIONS.find((one) => one.catalogueId === catalogueId);
  if (operation === undefined) return code(catalogueId);
  return html`<a href="${docsAddress(operation)}">${operation.summary}</a>`;
}
