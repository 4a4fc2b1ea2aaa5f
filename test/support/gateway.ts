import type { H3 } from 'h3';
import { pino } from 'pino';
import { inject } from 'vitest';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { createGateway, type GatewayOptions } from '../../gateway/app.ts';
import type { IndexServices } from '../../index-server/services.ts';
import { openIndexServices } from '../../index-server/services.ts';
import { checkedApp } from './openapi-check.ts';

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

/** Operations that need no board server behind the gateway. */
export const BOARDLESS_OPERATIONS: readonly Operation[] = OPERATIONS.filter(({ server }) => server !== 'board');

/** The origin in this process, without board and limits, on the sample snapshot or another snapshots directory. */
export async function openGateway(
  snapshotsDir: string = inject('sampleSnapshots'),
  now = () => TEST_NOW,
  options: Partial<GatewayOptions> = {},
): Promise<TestGateway> {
  const log = pino({ level: 'silent' });
  const index = await openIndexServices(snapshotsDir, log);
  const app = checkedApp(createGateway({ index, log, now, baseUrl: 'http://test.example', ...options }));
  return {
    app,
    index,
    async get(path, init) {
      const response = await app.fetch(new Request(`http://test.example${path}`, init));
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
    },
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  };
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
