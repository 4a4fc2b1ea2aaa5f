import type { EventKind } from './ids.ts';

/** What an event is about, each within one of the four kinds that the interface fixes. */
export const EVENT_KIND_OF = {
  finding: 'finding',
  review: 'finding',
  withdrawal: 'finding',
  claim: 'claim',
  link: 'link',
  message: 'message',
  amendment: 'message',
  vote: 'message',
  exercise: 'message',
  'reality-request': 'message',
  prediction: 'message',
  'dead-end': 'message',
  ladder: 'message',
  rung: 'message',
  method: 'message',
  evidence: 'message',
  hypothesis: 'message',
} as const satisfies Record<string, EventKind>;
export type EventAbout = keyof typeof EVENT_KIND_OF;
export const EVENT_ABOUTS = Object.keys(EVENT_KIND_OF) as [EventAbout, ...EventAbout[]];
