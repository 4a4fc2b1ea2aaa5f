import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommonDesk, type Member } from '../gateway/common/common-desk.ts';
import type { CallsMessage } from '../gateway/common/messages.ts';
import { environment } from '../server-kit/config/env.ts';
import type { BoardStanding } from './gateway-process.ts';
import { SupervisedChild } from './supervised-child.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Runs in a row of one gateway that end within a minute; then the others are looked at. */
const QUICK_ENDS_MAX = 10;

interface Gateways {
  gateway: {
    start(): void;
    tell(standing: BoardStanding): void;
    /** Drains all of them. Resolves with 0, or with the code of one that did not end with 0. */
    stop(): Promise<number | null>;
  };
  /** Resolves with the exit code for `npm start` when the gateways are not started again. */
  givenUp: Promise<number>;
}

/**
 * Several gateways as children of `npm start`, which hold one port together. `entry` is the program, `flags` are those of
 * Node. This process does not accept connections: they wait in one queue of the kernel, from which each gateway takes
 * one when it is free. The connections of a gateway that dies break; those in the queue are taken by the others.
 */
export function gatewayProcesses(
  { flags, program }: { flags: string[]; program: string[] },
  count: number,
  { onListening, ...timing }: { restartFirstMs?: number; drainNoticeMs?: number; onListening: (url: string) => void },
): Gateways {
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<number>();
  const [exec = '', ...args] = program;
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec, args, execArgv: flags, cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const desk = new CommonDesk(count, () => new Date());
  let listened = false;
  const children = Array.from({ length: count }, () => {
    let member: Member | null = null;
    return new SupervisedChild({
      ...timing,
      name: 'gateway',
      entry: program,
      cwd: ROOT,
      env: () => environment(),
      isInner: false,
      fork: (env) => cluster.fork(env).process,
      onStart: (child) => {
        member = seat(desk, child);
      },
      onAddress: (url) => {
        if (member) desk.listens(member);
        if (!listened) onListening(url);
        listened = true;
      },
      onEnd: ({ code, reason, quickEnds }) => {
        // A fault of the settings or of the port: it has said so, and another start would find the same.
        if (!listened && code !== null) {
          giveUp(code === 0 ? 1 : code);
          return false;
        }
        if (quickEnds < QUICK_ENDS_MAX || desk.running > 0) return true;
        process.stderr.write(
          `failed: a gateway ended ${quickEnds} times, each within a minute, none other runs, and all are given up. The last time: ${reason}\n`,
        );
        giveUp(1);
        return false;
      },
    });
  });
  const gateway = {
    start: () => {
      for (const child of children) child.start();
    },
    tell: (standing: BoardStanding) => {
      for (const child of children) child.tell(standing);
    },
    stop: async () => {
      const codes = await Promise.all(children.map((child) => child.stop()));
      desk[Symbol.dispose]();
      const faulty = codes.find((code) => code !== 0);
      return faulty === undefined ? 0 : faulty;
    },
  };
  return { gateway, givenUp };
}

/** Lets a gateway ask the desk for as long as it runs. */
function seat(desk: CommonDesk, child: ChildProcess): Member {
  const member: Member = {
    send: (message) => {
      // The channel may close before the message is sent: the end of the gateway is handled by its own event.
      if (child.connected) child.send(message, () => {});
    },
  };
  desk.joined(member);
  child.on('message', (message: object) => {
    if ('calls' in message) desk.received(member, message as CallsMessage);
  });
  // After the last of its messages.
  child.once('disconnect', () => desk.left(member));
  child.once('exit', () => desk.left(member));
  return member;
}
