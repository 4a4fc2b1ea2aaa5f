import { WEBHOOK_EVENTS } from './ids.ts';

/** Events beyond the interface's eight, of the trial index: a subscription hears of them only where it names them. */
const ADDED_EVENTS = ['snapshot.published', 'trial.changed'] as const;

export const EVERY_WEBHOOK_EVENT = [...WEBHOOK_EVENTS, ...ADDED_EVENTS] as const;
export type WebhookEvent = (typeof EVERY_WEBHOOK_EVENT)[number];
