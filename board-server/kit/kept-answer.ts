import { holdsRandomUuid, takeSecrets } from '../../contract/one-time-secrets.ts';
import type { Sealer } from '../store/sealed.ts';

/** An answer as it is stored: what everybody may read in clear, what is shown once sealed or left out. */
export interface KeptAnswer {
  response: string;
  /** JSON list of the secrets that the first answer had, as dotted names. */
  secret_names: string;
  /** Their values as sealed JSON list, in the same order; null where there are none or none may be shown again. */
  sealed: string | null;
}

type Named = Record<string, unknown>;

/** What replaces secrets in a replay, and why. */
export interface Withheld {
  fields: string[];
  why: string;
}

const GUESSABLE =
  'A replay shows a one-time token only where the Idempotency-Key is or contains a random UUID (version 4): a shorter key can be guessed. The write itself was carried out once.';
const UNOPENED =
  'What the first answer showed once can no longer be opened, because the service has another key than it was sealed with. The write itself was carried out once.';

/** Takes the secrets out of an answer. They are kept only under an Idempotency-Key that nobody can guess. */
export function keptAnswer(sealer: Sealer, scope: string, key: string, data: unknown): KeptAnswer {
  const answer = structuredClone(data) as Named;
  const { names, values } = takeSecrets(answer);
  const isKept = values.length > 0 && holdsRandomUuid(key);
  return {
    response: JSON.stringify(answer),
    secret_names: JSON.stringify(names),
    sealed: isKept ? sealer.seal('idempotent answer', scope, JSON.stringify(values)) : null,
  };
}

/** The first answer with its secrets, or with a word on what is withheld. */
export function shownAgain(
  sealer: Sealer,
  scope: string,
  { response, secret_names, sealed }: KeptAnswer,
): { data: unknown; withheld: Withheld | null } {
  const data = JSON.parse(response) as Named;
  const fields = JSON.parse(secret_names) as string[];
  if (fields.length === 0) return { data, withheld: null };
  const opened = sealed === null ? null : sealer.open('idempotent answer', scope, sealed);
  if (opened === null) return { data, withheld: { fields, why: sealed === null ? GUESSABLE : UNOPENED } };
  const values = JSON.parse(opened) as string[];
  for (const [place, name] of fields.entries()) {
    const [field = '', within] = name.split('.').reverse();
    const holder = (within === undefined ? data : data[within]) as Named;
    holder[field] = values[place];
  }
  return { data, withheld: null };
}
