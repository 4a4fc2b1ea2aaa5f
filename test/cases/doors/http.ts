import { openOrigin, type TestOrigin } from '../../support/origin.ts';
import { type Door, type DoorKind, overHttp } from './door.ts';

/** REST as any client speaks it, over a socket. */
export const HTTP_DOOR: DoorKind = {
  name: 'HTTP',
  offers: () => true,
  open: async () => httpDoorOf(await openOrigin()),
};

export function httpDoorOf(origin: TestOrigin): Door {
  return {
    kind: HTTP_DOOR,
    origin,
    call: (operation, given, apiKey) =>
      overHttp((path, init) => fetch(`${origin.url}${path}`, init), operation, given, apiKey),
    [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose](),
  };
}
