import { H3 } from 'h3';
import type { Logger } from 'pino';
import { type IndexServices, mountIndex } from '../../index-server/entry.ts';
import { readAnswer } from './read-json.ts';
import { Upstream } from './upstream.ts';

const SILENCE_MS = 30_000;

interface IndexAnswer {
  status: number;
  body: {
    data?: unknown;
    _meta?: { snapshot?: string };
    error?: { message?: string; parameter?: string; expected?: string };
  };
}

/** Asks the index as a client would, past the limits of clients. Rejects where a server sends nothing for so long. */
export type AskIndex = (path: string, silenceMs?: number) => Promise<IndexAnswer>;

/** The index in this process, or behind. */
export function indexAsker(
  index: IndexServices | Upstream,
  { log, now, baseUrl }: { log: Logger; now: () => Date; baseUrl: string | null },
): AskIndex {
  if (index instanceof Upstream) return (path, silenceMs = SILENCE_MS) => readAnswer(index, path, silenceMs);
  let app: H3 | null = null;
  return async (path) => {
    if (app === null) {
      app = new H3({ silent: true });
      mountIndex(app, { log, now, baseUrl, trustedProxies: 0, services: index });
    }
    const response = await app.fetch(new Request(`http://index.invalid${path}`));
    return { status: response.status, body: (await response.json()) as IndexAnswer['body'] };
  };
}
