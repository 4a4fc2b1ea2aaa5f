import { LRUCache } from 'lru-cache';
import { ERROR_CODES } from '../../contract/errors/errors.ts';
import { DOORS } from '../../contract/interfaces/doors.ts';
import { PAGES } from '../../contract/interfaces/pages.ts';
import type { DESCRIPTION_OPERATIONS } from '../../contract/operations/service/description.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { Finished } from '../../server-kit/answer/finished.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { contractReport, type Route } from '../description/contract-check.ts';
import { openApiDocument } from '../description/openapi-document.ts';
import { ASSET_PATHS } from '../pages/assets.ts';

interface DescriptionServices {
  /** The routes of this process. */
  routes: () => Route[];
}

/** Addresses whose document is kept: most callers use one, and anyone can make up others. */
const KEPT_ADDRESSES = 4;
/** The servers of a document without an address; stands before the paths, and no text can hold its quotes unescaped. */
const NO_SERVER = '"servers":[{"url":""}]';

/** Makes the document and the report once, since they do not change while the process runs. */
export function descriptionHandlers(): Handlers<typeof DESCRIPTION_OPERATIONS, DescriptionServices> {
  const document = once(() => openApiDocument(''));
  const report = once((routes: Route[]) =>
    contractReport(routes, {
      operations: OPERATIONS,
      doors: DOORS,
      pages: [...PAGES.map(({ path }) => path), ...ASSET_PATHS],
      document: document(),
      codes: ERROR_CODES,
    }),
  );
  // Only the base address differs between callers, so that the rest is serialised once.
  const around = once(() => {
    const text = JSON.stringify(document());
    const at = text.indexOf(NO_SERVER);
    return { before: text.slice(0, at), after: text.slice(at + NO_SERVER.length) };
  });
  const kept = new LRUCache<string, Finished>({ max: KEPT_ADDRESSES });
  const finishedFor = (baseUrl: string): Finished => {
    const known = kept.get(baseUrl);
    if (known !== undefined) return known;
    const { before, after } = around();
    const made = new Finished(Buffer.from(`${before}"servers":${JSON.stringify([{ url: baseUrl }])}${after}`));
    kept.set(baseUrl, made);
    return made;
  };
  return {
    openapi: (_input, { baseUrl }) => ({ data: finishedFor(baseUrl) }),

    contract: (_input, _context, { routes }) => ({ data: report(routes()) }),
  };
}

function once<Given extends unknown[], Made>(make: (...given: Given) => Made): (...given: Given) => Made {
  let made: { value: Made } | undefined;
  return (...given) => {
    made ??= { value: make(...given) };
    return made.value;
  };
}
