import type { Reader } from '../store/reader.ts';
import { outcomeOf, type Resolved, type SubjectStanding } from './outcome.ts';
import { stakes } from './prediction-store.ts';
import { Subjects } from './subjects.ts';

export interface Outcomes {
  predictions: number;
  open: number;
  resolved: Resolved[];
}

/** The standing of a prediction's subject, which still exists: nothing is ever deleted. */
export function known(standing: SubjectStanding | null): SubjectStanding {
  if (standing === null) throw new Error('a prediction about something that is not on the board');
  return standing;
}

/** All predictions, or those of one author (the hash of their token), and how the resolved ones came out. */
export async function resolvedOf(db: Reader, author: string | null, now: number): Promise<Outcomes> {
  const all = await stakes(db, author);
  const subjects = await Subjects.of(db, all, now);
  const resolved: Resolved[] = [];
  for (const stake of all) {
    const { state } = outcomeOf(stake, known(subjects.standing(stake)), now);
    if (state !== 'open') resolved.push({ confidence: stake.confidence, cameTrue: state === 'came_true' });
  }
  return { predictions: all.length, open: all.length - resolved.length, resolved };
}
