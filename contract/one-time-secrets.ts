/**
 * Where the answer to a write holds what is shown once: the field, inside `within` where it does not lie at the top, and
 * what stands there in a replay that may not show it (nothing at all where that is undefined).
 */
interface OneTimeSecret {
  readonly within: string | null;
  readonly field: string;
  readonly withheld: null | undefined;
}

export const ONE_TIME_SECRETS: readonly OneTimeSecret[] = [
  { within: null, field: 'releaseToken', withheld: undefined },
  { within: null, field: 'withdrawToken', withheld: null },
  { within: 'finding', field: 'withdrawToken', withheld: null },
  { within: null, field: 'predictionToken', withheld: null },
  { within: null, field: 'key', withheld: undefined },
  { within: null, field: 'secret', withheld: undefined },
];

/** Version 4: the only kind of UUID whose 122 bits are all random. */
const RANDOM_UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/gi;
/** Of four million million random UUIDs about one has fewer different digits. */
const RANDOM_UUID_MIN_DIGITS = 6;

/** Whether a text is a random UUID or has one in it, so that nobody can guess it. One typed by hand is none. */
export function holdsRandomUuid(text: string): boolean {
  return (text.match(RANDOM_UUID) ?? []).some(
    (uuid) => new Set(uuid.toLowerCase().replaceAll('-', '')).size >= RANDOM_UUID_MIN_DIGITS,
  );
}

/** Takes the secrets out of the data of an answer, which it changes: their dotted names, and their values. */
export function takeSecrets(data: Record<string, unknown>): { names: string[]; values: string[] } {
  const [names, values]: [string[], string[]] = [[], []];
  for (const { within, field, withheld } of ONE_TIME_SECRETS) {
    const holder = (within === null ? data : data[within]) as Record<string, unknown> | null | undefined;
    const value = holder?.[field];
    if (typeof value !== 'string') continue;
    names.push(within === null ? field : `${within}.${field}`);
    values.push(value);
    holder![field] = withheld;
  }
  return { names, values };
}
