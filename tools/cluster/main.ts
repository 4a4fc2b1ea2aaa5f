import { once } from 'node:events';
import { Cluster } from './cluster.ts';
import { missingPackages } from './programs.ts';

/** `npm run cluster`: starts the small cluster, prints its addresses, and ends it with Ctrl-C. */

const EXIT_MISSING = 2;

const missing = missingPackages();
if (missing.length > 0) {
  process.stderr.write(`The cluster needs Debian packages that are missing: apt-get install ${missing.join(' ')}\n`);
  process.exit(EXIT_MISSING);
}
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const cluster = await Cluster.start({ onStep: say });
const numbered = (name: string, urls: readonly string[]) => urls.map((url, at) => [`${name}${at + 1}`, url] as const);
const addresses = [
  ['one address', cluster.url],
  ...numbered('gateway', cluster.gatewayUrls),
  ...numbered('board', cluster.boardUrls),
  ...cluster.nodes.map(
    ({ name, ports }) => [name, `127.0.0.1:${ports.postgres}, its agent 127.0.0.1:${ports.agent}`] as const,
  ),
  ['PostgreSQL', cluster.postgresUrl],
  ['Redis', cluster.redisUrl],
  ['logs', cluster.folder],
] as const;
say('');
for (const [what, address] of addresses) say(`${what.padEnd(12)} ${address}`);
say('');
say('Ctrl-C ends all of it and removes the folder.');
await ended;
say('ending …');
await cluster.stop();
