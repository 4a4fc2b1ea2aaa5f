import { Agent } from 'node:http';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { openLiterature } from '../../literature/client.ts';
import { startFakeLiterature } from '../fakes/literature-server.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { curlOf, type FuzzedAnswer, type FuzzedRequest, send } from './fuzzed-request.ts';
import { type Planted, plant } from './planted.ts';

/** How many, and which; `FUZZ_CASES=20000 FUZZ_SEED=7 npm test -- test/fuzz` tries more and others. */
export const FUZZ_CASES = Number(process.env.FUZZ_CASES ?? 2_000);
export const FUZZ_SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);

/** Lines of the log from here on say that something happened which nobody foresaw. */
const UNEXPECTED_LEVEL = 50;

export interface FuzzOrigin extends AsyncDisposable {
  origin: TestOrigin;
  planted: Planted;
  /** Lines of the log that should not be there. */
  unexpected: string[];
  /** Sends a request and holds its answer against `faultsOf`; throws with a line that repeats it. */
  hold(
    request: FuzzedRequest,
    faultsOf: (request: FuzzedRequest, answer: FuzzedAnswer) => string[],
  ): Promise<FuzzedAnswer>;
}

/** Gateway and board over HTTP without limits, a literature index that knows no paper, a board with something of everything on it, and an eye on the log. */
export async function openFuzzOrigin(): Promise<FuzzOrigin> {
  const agent = new Agent({ keepAlive: true });
  const unexpected: string[] = [];
  const sink = new Writable({
    write(line: Buffer, _encoding, done) {
      const { level } = JSON.parse(line.toString()) as { level: number };
      if (level >= UNEXPECTED_LEVEL) unexpected.push(line.toString());
      done();
    },
  });
  const origin = await openOrigin({ log: pino({ level: 'error' }, sink) });
  const literature = await startFakeLiterature();
  origin.gateway.index.literature = openLiterature({
    ...{ pubmedUrl: literature.pubmedUrl, europepmcUrl: literature.europepmcUrl, ncbiApiKey: null, contactEmail: null },
    ...{ now: origin.board.clock.now, askedBy: 'index', requestsPerSecond: 10_000, retryWaitMs: 1 },
  });
  return {
    origin,
    planted: await plant(origin),
    unexpected,
    async hold(request, faultsOf) {
      const again = (): string => curlOf(origin.url, request);
      const answer = await send(origin.url, agent, request).catch((error: unknown) => {
        throw new Error(`${error}\n${again()}`);
      });
      const faults = faultsOf(request, answer);
      if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${again()}`);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await origin[Symbol.asyncDispose]();
      await literature.close();
    },
  };
}
