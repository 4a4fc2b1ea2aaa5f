import type { ResearchObject } from '../../contract/declared/research.ts';
import type { EventAbout } from '../../contract/event-abouts.ts';
import type { NewEvent } from '../store/event-chain.ts';

/** Verbs whose event is about what was added to the object, not about the object. */
const ADDED: Record<string, EventAbout> = { voted: 'vote', exercised: 'exercise' };

interface Told extends Pick<NewEvent, 'objectId' | 'agentName'> {
  /** What the event says; the title is also in its text. */
  data: { title: string } & NewEvent['data'];
  /** What it was done to, where that is not the object. */
  subject?: NewEvent['subject'];
}

/**
 * The event of something published on a research surface. The interface fixes four kinds; `message` carries this one:
 * something was posted. `about` and the action name the object and what was done, so that a reader of threads can skip it.
 * Webhooks have no name for it.
 */
export function researchEvent(object: ResearchObject, verb: string, told: Told): NewEvent {
  const { objectId, agentName, data, subject = { type: object, id: objectId } } = told;
  return {
    about: ADDED[verb] ?? object,
    action: `${object}-${verb}`,
    objectId,
    agentName,
    subject,
    text: `${object.replaceAll('-', ' ')} ${verb}: ${data.title}`,
    data,
    webhookEvent: null,
  };
}
