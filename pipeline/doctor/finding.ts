import { LiteratureFault } from '../../server-kit/literature/fault.ts';
import { SourceFault } from '../raw/fetch-log.ts';
import { FeedFault } from '../signals/feed-fault.ts';

/** What one small request to a source brought. */
export interface Finding {
  /** Registry, feed, `pubmed`, `europepmc` or `terminology`. */
  source: string;
  /** `off`: a setting says not to ask it, or there is none to ask. */
  state: 'sound' | 'faulty' | 'unanswered' | 'off';
  /** Whether its server gave any answer; null where it was not asked. */
  reached: boolean | null;
  /** Why it is not asked; null where it is. */
  note: string | null;
  milliseconds: number | null;
  /** What the source itself counts: records of a registry, items of a feed, papers of a question. */
  count: number | null;
  /** Day or time that the source states of its newest data. */
  date: string | null;
  /** When the run of the last snapshot last read it from its server; null where that is not known, as of a dump. */
  lastSeenWell: string | null;
  /** The fields that are looked at, and in how many of the records that came each has a value. */
  form: { field: string; filled: number; of: number }[];
  /** What is wrong, each with what to do about it. */
  faults: { fault: string; mend: string }[];
}

export type Asked = Pick<Finding, 'count' | 'date' | 'form' | 'faults'>;

/** What mends a source whose server gave no answer, and one whose server answered, but not with what was asked for. */
export interface Mends {
  unreached: string;
  refused: string;
}

/** Asks a source once and takes the time. Whatever `ask` throws is a source that did not answer. */
export async function findingOf(
  head: Pick<Finding, 'source' | 'lastSeenWell'>,
  ask: () => Promise<Asked>,
  mends: Mends,
): Promise<Finding> {
  const started = performance.now();
  const milliseconds = (): number => Math.round(performance.now() - started);
  try {
    const asked = await ask();
    const state = asked.faults.length === 0 ? 'sound' : 'faulty';
    return { ...head, state, reached: true, note: null, milliseconds: milliseconds(), ...asked };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    const nothing = { count: null, date: null, form: [] };
    const reached = gaveAnAnswer(error);
    const told = { state: 'unanswered', reached, note: null, milliseconds: milliseconds() } as const;
    return { ...head, ...told, ...nothing, faults: [{ fault, mend: reached ? mends.refused : mends.unreached }] };
  }
}

/** Whether the server itself answered, with whatever: then the network is sound, and the source moved or refused. */
function gaveAnAnswer(error: unknown): boolean {
  if (error instanceof FeedFault) return error.code !== 'unreachable';
  if (error instanceof LiteratureFault) return error.reason !== 'unreachable';
  // A registry that answers 503 counts as unreachable for a run, which tries again.
  if (error instanceof SourceFault) return error.code !== 'unreachable' || /\bHTTP \d{3}\b/.test(error.message);
  return true;
}

const NETWORK_MEND =
  'no source gave any answer, so the network is at fault and not the sources: check the route, a firewall or proxy of this machine (HTTPS to the outside), then ask again';
const NAMES_MEND =
  'this machine resolves no names, so the sources were not reached and are not at fault: check its DNS (/etc/resolv.conf, the DNS of the container), then ask again';
/** What a name that was not resolved is told with, by whichever client. */
const NO_NAME = /\((?:ENOTFOUND|EAI_AGAIN)\b/;

/** The one thing to mend where no source that was asked gave an answer; null where the network is sound. */
export function networkMend(findings: readonly Finding[]): string | null {
  const asked = findings.filter(({ reached }) => reached !== null);
  if (asked.length < 2 || asked.some(({ reached }) => reached)) return null;
  const isNames = asked.every(({ faults }) => faults.every(({ fault }) => NO_NAME.test(fault)));
  return isNames ? NAMES_MEND : NETWORK_MEND;
}

/** The findings, with the network as what mends each where it is at fault. */
export function withNetwork(findings: readonly Finding[], network: string | null): Finding[] {
  if (network === null) return [...findings];
  return findings.map((finding) => ({
    ...finding,
    faults: finding.faults.map(({ fault }) => ({ fault, mend: network })),
  }));
}

export function switchedOff(source: string, note: string): Finding {
  const nothing = { milliseconds: null, count: null, date: null, lastSeenWell: null, form: [], faults: [] };
  return { source, state: 'off', reached: null, note, ...nothing };
}
