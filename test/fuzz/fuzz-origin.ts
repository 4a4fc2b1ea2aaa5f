import { Agent } from 'node:http';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { openLiterature } from '../../server-kit/literature/client.ts';
import { startFakeLiterature } from '../fakes/literature-server.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { amountOf } from '../support/runner/amount.ts';
import { curlOf, type FuzzedAnswer, type FuzzedRequest, send } from './fuzzed-request.ts';
import { type Planted, plant } from './planted.ts';

/**
 * Number of cases, and the seed that chooses them. `FUZZ_CASES=20000 FUZZ_SEED=7 npm run test:all -- test/fuzz` tries more and
 * other cases.
 */
export const fuzzCases = (): number =>
  Number(process.env.FUZZ_CASES ?? amountOf({ quick: 250, deep: 4_000, night: 40_000 }));
export const FUZZ_SEED = Number(process.env.FUZZ_SEED ?? 20_261_125);
/** Seed of requests to operations: with it each operation is reached as far as its success. */
export const OPERATIONS_SEED = Number(process.env.FUZZ_SEED ?? 7);

/** Log lines of this level or above report what nobody foresaw. */
const UNEXPECTED_LEVEL = 50;

export interface FuzzOrigin extends AsyncDisposable {
  origin: TestOrigin;
  planted: Planted;
  /** Log lines that should not be there. */
  unexpected: string[];
  /**
   * Sends a request and checks its answer by `faultsOf`. For a fault it throws, with a command that repeats the
   * request.
   */
  hold(
    request: FuzzedRequest,
    faultsOf: (request: FuzzedRequest, answer: FuzzedAnswer) => string[],
  ): Promise<FuzzedAnswer>;
}

/**
 * Gateway and board over HTTP without rate limits. The board has something of every kind, the literature index knows no
 * paper, and unexpected log lines are collected.
 */
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
