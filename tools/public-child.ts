import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment } from '../server-kit/config/env.ts';
import { SupervisedChild } from './supervised-child.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Runs in a row that end within a minute; with the pauses between them they take two minutes. */
const QUICK_ENDS_MAX = 10;

interface PublicChild {
  server: SupervisedChild;
  /** Resolves with the exit code for `npm start` when the server is not started again. */
  givenUp: Promise<number>;
}

/** The first words to the person who starts the service. */
export function sayHowToBegin(url: string): void {
  process.stderr.write(`Serving on ${url}. Begin with: curl -s ${url}/api/v1\n`);
}

interface PublicChildOptions {
  /** Called once, when it listens for the first time. */
  onFirstAddress: (url: string) => void;
  restartFirstMs?: number;
  drainNoticeMs?: number;
}

/** The server that listens on PORT as a child of `npm start`: a gateway, or an index. `entry` is the program with its flags. */
export function publicChild(
  name: 'gateway' | 'index',
  entry: string[],
  { onFirstAddress, ...timing }: PublicChildOptions,
): PublicChild {
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<number>();
  let port: string | null = null;
  const server = new SupervisedChild({
    ...timing,
    name,
    entry,
    cwd: ROOT,
    // After PORT=0, a restart takes the port that callers know.
    env: () => ({ ...environment(), ...(port !== null && { PORT: port }) }),
    isInner: false,
    onAddress: (url) => {
      if (port === null) onFirstAddress(url);
      port = new URL(url).port;
    },
    onEnd: ({ code, reason, quickEnds }) => {
      // A fault of the settings or of the port: it has said so, and another start would find the same.
      if (port === null && code !== null) {
        giveUp(code === 0 ? 1 : code);
        return false;
      }
      if (quickEnds < QUICK_ENDS_MAX) return true;
      process.stderr.write(
        `failed: the ${name} ended ${quickEnds} times, each within a minute, and is given up. The last time: ${reason}\n`,
      );
      giveUp(1);
      return false;
    },
  });
  return { server, givenUp };
}
