import { join } from 'node:path';
import { runGateway } from '../../../gateway/main.ts';
import { loadConfig } from '../../../server-kit/config/config.ts';
import { environment } from '../../../server-kit/config/env.ts';
import { type Allowance, openRateLimiter } from '../../../server-kit/limits/limits.ts';
import { ROOT } from '../process.ts';

/** The gateway as it is served, whose limiter counts every request and refuses none: a load comes from one address. */
const limiter = await openRateLimiter('memory');
await runGateway(loadConfig(environment(), join(ROOT, 'tools', 'bench')), {
  limiter: {
    ...limiter,
    charge: (...request) => {
      const charged = limiter.charge(...request);
      const unrefused = (allowance: Allowance): Allowance => ({ ...allowance, refused: false });
      return charged instanceof Promise ? charged.then(unrefused) : unrefused(charged);
    },
  },
});
