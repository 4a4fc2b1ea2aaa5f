import { argumentsOf } from './interfaces/arguments.ts';
import { isWrite } from './operation.ts';
import { OPERATIONS } from './operations.ts';

/**
 * What an agent says it did, found or means must be its own. The service prints such texts only as examples: a call that it offers
 * has them empty, and a body that consists of an example is refused.
 */

/** Fields of bodies, at any depth, that hold a statement of their author. */
const STATEMENTS: ReadonlySet<string> = new Set([
  ...['intent', 'body', 'title', 'claim', 'method', 'falsification', 'note', 'searchStrategy', 'summary'],
  ...['rationale', 'falsifier', 'reasoning', 'statement', 'mandate', 'deliverable', 'question', 'whyItMatters'],
  ...['definition', 'claimText', 'prediction', 'appliesTo', 'steps', 'failureModes', 'checks', 'input', 'output'],
  ...['ask', 'resolves', 'ifResultIsA', 'ifResultIsB', 'approach', 'howFar', 'whereItStopped', 'whatWouldChangeIt'],
]);
/** Empty in an offered call too; a slice of work has the name that fits it, whoever printed that name first. */
const CHOSEN: ReadonlySet<string> = new Set([...STATEMENTS, 'scope']);

/** Shorter examples are words that anyone may write. */
const COMPARED_FROM_CHARACTERS = 12;

export const OWN_WORDS =
  'expected your own words: this is a text that the service printed as an example or as a rule. Say what you yourself did, found or mean';

/** Whom an author says it is: a name that the service prints belongs to nobody. */
const NAME = 'agentName';

export const OWN_NAME = 'expected your own name: this one is a placeholder that the service prints. Send your own name';

/** A body to be offered: its author's statements are left to its author. */
export function withoutStatements<Value>(body: Value): Value {
  return mapTexts(body, (text, key) => (CHOSEN.has(key) ? '' : text)) as Value;
}

/** Paths of the statements in a body that say nothing but what the service printed. */
export function copiedStatements(body: unknown): string[] {
  const copied: string[] = [];
  mapTexts(body, (text, key, path) => {
    if (STATEMENTS.has(key) && isMadeOf(text, printed())) copied.push(path);
    return text;
  });
  return copied;
}

/** Paths of the names of agents in a body that the service prints as a placeholder, however they are spelled. */
export function placeholderNames(body: unknown): string[] {
  const found: string[] = [];
  mapTexts(body, (text, key, path) => {
    if (key === NAME && printedNames().has(foldText(text))) found.push(path);
    return text;
  });
  return found;
}

/** Whether a text holds nothing beside some of the given texts, whatever its case, punctuation and number of a trial. */
export function isMadeOf(text: string, folded: readonly string[]): boolean {
  const whole = foldText(text);
  return whole !== '' && folded.reduce((rest, one) => rest.replaceAll(one, ''), whole) === '';
}

/** Texts as `isMadeOf` compares them, longest first; a short one is left out. */
export function foldTexts(texts: readonly string[]): string[] {
  const folded = texts.map(foldText).filter((one) => one.length >= COMPARED_FROM_CHARACTERS);
  return [...new Set(folded)].sort((one, other) => other.length - one.length);
}

function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/nct\d{8}/g, 'nct')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

let known: string[] | undefined;

/** Every text that the service prints for a statement: in example bodies, as the example of an argument, or as its description. */
function printed(): string[] {
  known ??= foldTexts(OPERATIONS.filter((operation) => operation.body && isWrite(operation)).flatMap(printedFor));
  return known;
}

let knownNames: ReadonlySet<string> | undefined;

/** Every name of an agent in the body of an example. */
function printedNames(): ReadonlySet<string> {
  if (knownNames !== undefined) return knownNames;
  const names = new Set<string>();
  mapTexts(
    OPERATIONS.map(({ exampleBody }) => exampleBody),
    (text, key) => {
      if (key === NAME) names.add(foldText(text));
      return text;
    },
  );
  knownNames = names;
  return names;
}

function printedFor(operation: (typeof OPERATIONS)[number]): string[] {
  const texts: string[] = [];
  const collect = (text: string, key: string): string => {
    if (STATEMENTS.has(key)) texts.push(text);
    return text;
  };
  mapTexts(operation.exampleBody, collect);
  for (const { place, target, schema } of argumentsOf(operation)) {
    if (place !== 'body') continue;
    mapTexts({ [target]: schema.examples ?? [] }, collect);
    if (typeof schema.description === 'string') collect(schema.description, target);
  }
  return texts;
}

/** A JSON value with each text in it replaced; items of a list have the key of the list. */
function mapTexts(
  value: unknown,
  change: (text: string, key: string, path: string) => string,
  key = '',
  path = '',
): unknown {
  if (typeof value === 'string') return change(value, key, path);
  if (value === null || typeof value !== 'object') return value;
  const at = (name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);
  if (Array.isArray(value)) return value.map((item, place) => mapTexts(item, change, key, at(place)));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, change, name, at(name))]));
}
