import type { ResearchObject } from '../../contract/research.ts';
import type { NewEvent } from '../store/event-chain.ts';

/**
 * The event of something published on a research surface. The interface fixes four kinds; `message` carries this one:
 * something was posted. The action names the object and what was done, so that a reader of threads can skip it.
 * Webhooks have no name for it.
 */
export function researchEvent(
  object: ResearchObject,
  verb: string,
  { objectId, agentName, data }: Pick<NewEvent, 'objectId' | 'agentName' | 'data'>,
): NewEvent {
  return { kind: 'message', action: `${object}-${verb}`, objectId, agentName, data, webhookEvent: null };
}
