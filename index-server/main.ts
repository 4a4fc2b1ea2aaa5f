import { once } from 'node:events';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { H3 } from 'h3';
import { PROBE_OPERATIONS } from '../contract/operations/board/orientation.ts';
import { fieldsOf } from '../server-kit/answer/answer.ts';
import { asksBare } from '../server-kit/answer/asked-bare.ts';
import { askedVersion } from '../server-kit/answer/asked-version.ts';
import { type Config, loadConfig } from '../server-kit/config/config.ts';
import { environment } from '../server-kit/config/env.ts';
import { GATEWAY_HEADERS } from '../server-kit/gateway-headers.ts';
import { openPace } from '../server-kit/limits/stored-pace.ts';
import { serverLog } from '../server-kit/log.ts';
import { mount, problemResponse } from '../server-kit/mount.ts';
import { probeHandlers } from '../server-kit/probes.ts';
import { Problem } from '../server-kit/problem.ts';
import { endOnFault, listen, startFault, stopSignal } from '../server-kit/serve.ts';
import { mountFiles, mountIndex } from './routes.ts';
import { openIndexServices } from './services.ts';

/** Runs the index server alone: its operations and the probes, without the rest of the public origin. */
async function runIndexServer(config: Config): Promise<void> {
  const log = serverLog(config.logLevel);
  await using paced = config.rateStore === 'memory' ? null : await openPace(config.rateStore, 'index', log);
  const literature = { ...config, pace: paced?.pace };
  await using index = await openIndexServices(config.snapshotsDir, log, literature, config.trustedKeysFile);
  let isDraining = false;
  const app = new H3({
    silent: true,
    onError: (error, event) => problemResponse(error, event, log),
    // A gateway before several indexes goes by it, so that no client goes back a version.
    onResponse: (response, event) => {
      fieldsOf(event, response).set(GATEWAY_HEADERS.snapshot, index.holder.version ?? '');
    },
  });
  const common = { log, now: () => new Date(), baseUrl: config.baseUrl };
  mount(app, PROBE_OPERATIONS, probeHandlers, {
    ...common,
    services: { holder: index.holder, isDraining: () => isDraining },
  });
  mountIndex(app, { ...common, services: index, askedVersion, isBare: asksBare });
  mountFiles(app, { ...common, services: index });
  app.all('/**', (event) => problemResponse(new Problem('NOT_FOUND'), event, log));
  // Before the address is told: whoever waits for it may stop this process at once.
  const stopped = stopSignal();
  const server = await listen(app, { host: config.host, port: config.port, log });
  endOnFault(log);
  process.send?.({ url: server.url });
  // `npm start` is gone, however it ended.
  const gone = process.channel ? [once(process, 'disconnect').then(() => 'disconnect')] : [];
  const signal = await Promise.race([stopped, ...gone]);
  log.info({ signal }, 'draining');
  isDraining = true;
  server.windDown();
  await pause(config.drainNoticeMs);
  await server.close();
}

if (import.meta.main) {
  try {
    await runIndexServer(loadConfig(environment(), dirname(dirname(fileURLToPath(import.meta.url)))));
  } catch (error) {
    process.stderr.write(`failed: ${startFault(error)}\n`);
    process.exitCode = 1;
  }
  if (process.connected) process.disconnect();
}
