import { openOrigin } from '../../support/origin.ts';
import { type DoorKind, overHttp } from './door.ts';

/** The app itself, without a socket in front of it. */
export const IN_PROCESS_DOOR: DoorKind = {
  name: 'this process',
  flat: false,
  offers: () => true,
  async open() {
    const origin = await openOrigin();
    const { app } = origin.gateway;
    return {
      kind: IN_PROCESS_DOOR,
      origin,
      call: (operation, given, apiKey) =>
        overHttp(async (path, init) => app.fetch(new Request(`${origin.url}${path}`, init)), operation, given, apiKey),
      [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose](),
    };
  },
};
