import { expect } from 'vitest';
import { sendSkill } from '../../support/a2a.ts';
import { openOrigin } from '../../support/origin.ts';
import type { Envelope, Failure } from '../case.ts';
import type { DoorKind } from './door.ts';

/** Skills of the A2A agent, by message/send. A task has no HTTP status of its own. */
export const A2A_DOOR: DoorKind = {
  name: 'A2A',
  words: 'a2a',
  offers: ({ names }) => names?.a2a !== undefined,
  async open() {
    const origin = await openOrigin();
    return {
      kind: A2A_DOOR,
      origin,
      async call({ names, envelope: inEnvelope }, given, apiKey) {
        const asked = inEnvelope === false ? given : { detail: 'full', ...given };
        const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
        const { envelope, error, task } = await sendSkill(origin.url, names?.a2a ?? '', asked, headers);
        for (const part of task?.artifacts?.[0]?.parts ?? []) {
          if (part.kind !== 'text') continue;
          if (envelope !== undefined) expect(part.text.length).toBeGreaterThan(0);
          else for (const said of [error?.code, error?.message, error?.hint]) expect(part.text).toContain(said);
        }
        if (envelope !== undefined) return { ok: true, status: null, envelope: envelope as Envelope };
        return { ok: false, status: null, error: error as Failure };
      },
      [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose](),
    };
  },
};
