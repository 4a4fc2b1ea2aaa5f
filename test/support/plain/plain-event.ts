import type { NewEvent } from '../../../board-server/store/event-chain.ts';
import type { EventAbout } from '../../../contract/event-abouts.ts';

/** An event for tests that look at its object and at what it is about, and at nothing else. */
export function plainEvent(about: EventAbout, objectId: string): NewEvent {
  const subject = { type: about, id: objectId };
  const text = `${about} created`;
  return { about, action: 'created', objectId, agentName: 'agent-a', subject, text, data: {}, webhookEvent: null };
}
