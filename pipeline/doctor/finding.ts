/** What one small request to a source brought. */
export interface Finding {
  /** Registry, feed, `pubmed` or `europepmc`. */
  source: string;
  /** `off`: a setting says not to ask it. */
  state: 'sound' | 'faulty' | 'unanswered' | 'off';
  milliseconds: number | null;
  /** What the source itself counts: records of a registry, items of a feed, papers of a question. */
  count: number | null;
  /** Day or time that the source states of its newest data. */
  date: string | null;
  /** When the last snapshot's run read it whole; null where that is not known. */
  lastSeenWell: string | null;
  /** The fields that are looked at, and in how many of the records that came each has a value. */
  form: { field: string; filled: number; of: number }[];
  /** What is wrong, each with what to do about it. */
  faults: { fault: string; mend: string }[];
}

export type Asked = Pick<Finding, 'count' | 'date' | 'form' | 'faults'>;

/** Asks a source once and takes the time. Whatever `ask` throws is a source that did not answer. */
export async function findingOf(
  head: Pick<Finding, 'source' | 'lastSeenWell'>,
  ask: () => Promise<Asked>,
  mend: string,
): Promise<Finding> {
  const started = performance.now();
  const milliseconds = (): number => Math.round(performance.now() - started);
  try {
    const asked = await ask();
    const state = asked.faults.length === 0 ? 'sound' : 'faulty';
    return { ...head, state, milliseconds: milliseconds(), ...asked };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    const nothing = { count: null, date: null, form: [] };
    return { ...head, state: 'unanswered', milliseconds: milliseconds(), ...nothing, faults: [{ fault, mend }] };
  }
}

export function switchedOff(source: string): Finding {
  const nothing = { milliseconds: null, count: null, date: null, lastSeenWell: null, form: [], faults: [] };
  return { source, state: 'off', ...nothing };
}
