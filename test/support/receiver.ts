import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: Record<string, string>;
  text: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  data: any;
}

export type Respond = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

export interface Receiver extends AsyncDisposable {
  url: string;
  /** All received requests except challenges. */
  received: Received[];
  challenges: Received[];
  /** How it answers from now on; challenges are echoed unless `all` is set. */
  answer(respond: Respond, all?: boolean): void;
}

const OK: Respond = (_received, response) => response.writeHead(204).end();

/** A webhook target with its own port; with its own loopback address it counts as a separate host. */
export async function openReceiver(host = '127.0.0.1'): Promise<Receiver> {
  let respond = OK;
  let everything = false;
  const received: Received[] = [];
  const challenges: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    const one = { headers: request.headers as Record<string, string>, text, type: body.type, data: body.data };
    const isChallenge = one.type === 'webhook.challenge';
    (isChallenge ? challenges : received).push(one);
    if (isChallenge && !everything) response.end(one.data.challenge);
    else respond(one, response, request);
  });
  await new Promise<void>((listening) => server.listen(0, host, listening));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hook?a=1`,
    received,
    challenges,
    answer(next, all = false) {
      respond = next;
      everything = all;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
