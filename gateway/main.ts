import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { type Config, loadConfig } from '../config/config.ts';
import { environment } from '../config/env.ts';
import { openIndexServices } from '../index-server/open-services.ts';
import { listen, stopSignal } from '../server-kit/serve.ts';
import { createGateway } from './app.ts';

/** Serves until SIGTERM or SIGINT, then drains. `onListening` is told the address once it answers. */
export async function runGateway(config: Config, onListening: (url: string) => void = () => {}): Promise<void> {
  const log = pino({ level: config.logLevel });
  await using index = await openIndexServices(config.snapshotsDir, log);
  const app = createGateway({ index, log, now: () => new Date(), baseUrl: config.baseUrl });
  const server = await listen(app, { host: config.host, port: config.port, log });
  onListening(server.url);
  const signal = await stopSignal();
  log.info({ signal }, 'draining');
  await server.close();
  log.info('stopped');
}

if (import.meta.main) await runGateway(loadConfig(environment(), dirname(dirname(fileURLToPath(import.meta.url)))));
