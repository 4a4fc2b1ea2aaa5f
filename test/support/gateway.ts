import type { H3 } from 'h3';
import { pino } from 'pino';
import { inject } from 'vitest';
import type { Operation } from '../../contract/operation.ts';
import { verifyFinding } from '../../contract/operations/trials/receipts.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { createGateway, type GatewayOptions } from '../../gateway/app.ts';
import type { IndexServices } from '../../index-server/services.ts';
import { openIndexServices } from '../../index-server/services.ts';
import { Comparisons } from '../../index-server/store/comparisons.ts';
import { checkedApp } from './runner/openapi-check.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface TestGateway extends AsyncDisposable {
  app: H3;
  index: IndexServices;
  get(path: string, init?: RequestInit): Promise<Answer>;
}

/** The time of tests: a day after the sample corpus's date. */
export const TEST_NOW = new Date('2026-10-02T12:00:00.000Z');

/** Operations that need no board server behind the gateway; a verification reads its finding there. */
export const BOARDLESS_OPERATIONS: readonly Operation[] = OPERATIONS.filter(
  ({ server, id }) => server !== 'board' && id !== verifyFinding.id,
);

/** The origin in this process, without board and limits, on the sample snapshot or another snapshots directory. */
export async function openGateway(
  snapshotsDir: string = inject('sampleSnapshots'),
  now = () => TEST_NOW,
  options: Partial<GatewayOptions> = {},
): Promise<TestGateway> {
  const log = pino({ level: 'silent' });
  const index = await openIndexServices(snapshotsDir, log);
  // On a busy machine a comparison may take longer than a client waits for it.
  const comparisons = new Comparisons({ log, waitMs: 900_000 });
  Object.assign(index, { comparisons });
  const app = checkedApp(createGateway({ index, log, now, baseUrl: 'http://test.example', ...options }));
  return {
    app,
    index,
    async get(path, init) {
      const response = await app.fetch(new Request(`http://test.example${path}`, declared(init)));
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
    },
    async [Symbol.asyncDispose]() {
      await comparisons[Symbol.asyncDispose]();
      await index[Symbol.asyncDispose]();
    },
  };
}

/** A text body is declared as JSON where the test declares nothing else. */
export function declared(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  if (init.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  return { ...init, headers };
}

/** Canonical id and one registry id of a trial of the sample, to fill path parameters with. */
export async function someTrial(gateway: TestGateway): Promise<{ canonicalId: string; registryId: string }> {
  const { body } = await gateway.get('/api/v1/trials/search?pageSize=1');
  const [trial] = body.data.trials;
  return { canonicalId: trial.canonicalId, registryId: trial.registrations[0].id };
}

/** An operation's example with its placeholders filled. */
export function filled(example: string, id: string): string {
  return example.replaceAll(/\{[A-Za-z]+\}/g, id);
}
