import { DOORS } from '../../contract/doors.ts';
import { ERROR_CODES } from '../../contract/errors.ts';
import type { DESCRIPTION_OPERATIONS } from '../../contract/operations/description.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { PAGES } from '../../contract/pages.ts';
import { type Handlers, JsonText } from '../../server-kit/mount.ts';
import { contractReport, type Route } from '../description/contract-check.ts';
import { openApiDocument } from '../description/openapi-document.ts';
import { ASSET_PATHS } from '../pages/assets.ts';

interface DescriptionServices {
  /** The routes of this process. */
  routes: () => Route[];
}

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
  return {
    // Only the base address differs between callers.
    openapi: (_input, { baseUrl }) => ({
      data: new JsonText(Buffer.from(JSON.stringify({ ...document(), servers: [{ url: baseUrl }] }))),
    }),

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
