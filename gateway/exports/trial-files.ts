import type { H3, H3Event, HTTPResponse } from 'h3';
import { TRIAL_FILES } from '../../contract/interfaces/take-away.ts';
import { fileResponder, type IndexServices } from '../../index-server/entry.ts';
import { type MountOptions, route } from '../../server-kit/mount.ts';
import type { ErrorBody } from '../../server-kit/problem.ts';
import { failureAsPage, wantsPage } from '../pages/mount-pages.ts';
import { type ForwardOptions, forwarder } from '../upstream/forward.ts';
import { Upstream } from '../upstream/upstream.ts';

interface TrialFileServices extends Omit<MountOptions<null>, 'services'> {
  index: IndexServices | Upstream;
  forwarding: ForwardOptions;
}

/** Serves the files of whole results from the index, in this process or behind. A refusal is a page to a browser. */
export function mountTrialFiles(app: H3, { index, forwarding, ...common }: TrialFileServices): void {
  const respond =
    index instanceof Upstream ? forwarder(index, forwarding) : fileResponder({ ...common, services: index });
  route(app, TRIAL_FILES, async (event, operation) => asPage(event, await respond(event, operation), common));
}

async function asPage(
  event: H3Event,
  response: HTTPResponse,
  { baseUrl }: Pick<MountOptions<null>, 'baseUrl'>,
): Promise<HTTPResponse> {
  const { status = 200 } = response;
  if (status < 400 || !wantsPage(event) || response.body == null) return response;
  const failure = (await new Response(response.body as BodyInit).json()) as ErrorBody;
  return failureAsPage(event, status, failure, { baseUrl });
}
