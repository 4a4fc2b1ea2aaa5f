import { PROTOCOL } from '../../contract/declared/protocol.ts';
import { IDEMPOTENCY_CONTRACT } from '../../contract/errors/protocol.ts';
import { CALL_IN_TEXT } from '../../contract/interfaces/call-texts.ts';
import { callWords, type WordedDoor } from './door-call.ts';

/** Headers of REST by the name that other doors have for what they carry: an argument, or a field of an answer. */
const ARGUMENTS = new Map(
  PROTOCOL.tokens.rules.flatMap(({ header, bodyField }) => (bodyField === null ? [] : [[header, bodyField] as const])),
).set(IDEMPOTENCY_CONTRACT.header, 'idempotencyKey');
const FIELDS = new Map([['Retry-After', 'error.retryAfterSeconds']]);

const NAMED = [...ARGUMENTS.keys(), ...FIELDS.keys()].join('|');
const HEADER_WORDS = new RegExp(`\\b(in the header |the header )?(${NAMED})\\b`, 'g');
/** What only a caller over REST can send or read; a sentence about it says nothing at another door. */
const REST_ONLY = /\b(If-None-Match|ETag|Content-Type|RateLimit-[A-Z]\w+)\b/;
const SENTENCES = /(?<=[.!?]) (?=[A-Z])/;

/** A text of the service in the words of a door: its calls, and the headers that carry arguments over REST. */
export function doorText(door: WordedDoor, text: string): string {
  const spoken = REST_ONLY.test(text) ? withoutRest(text) : text;
  return spoken
    .replaceAll(CALL_IN_TEXT, (call) => callWords(door, call) ?? call)
    .replaceAll(HEADER_WORDS, (_, lead: string | undefined, name: string) => headerWords(lead, name));
}

function withoutRest(text: string): string {
  const kept = text.split(SENTENCES).filter((sentence) => !REST_ONLY.test(sentence));
  // A text about nothing else is better than none.
  return kept.length === 0 ? text : kept.join(' ');
}

function headerWords(lead: string | undefined, name: string): string {
  const field = FIELDS.get(name);
  if (field !== undefined) return lead === 'in the header ' ? `in ${field}` : field;
  const argument = ARGUMENTS.get(name)!;
  if (lead === undefined) return argument;
  return lead === 'in the header ' ? `as ${argument}` : `the argument ${argument}`;
}
