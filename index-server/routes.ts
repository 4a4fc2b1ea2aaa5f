import type { H3 } from 'h3';
import { INDEX_OPERATIONS } from '../contract/operations.ts';
import { type MountOptions, mount } from '../server-kit/mount.ts';
import { registryHandlers } from './handlers/registries.ts';
import { signalHandlers } from './handlers/signals.ts';
import { trialHandlers } from './handlers/trials.ts';
import type { IndexServices } from './services.ts';

/** Registers the trial and registry operations on an app: the gateway's own, or that of an index server alone. */
export function mountIndex(app: H3, options: MountOptions<IndexServices>): void {
  mount(app, INDEX_OPERATIONS, { ...trialHandlers, ...registryHandlers, ...signalHandlers }, options);
}
