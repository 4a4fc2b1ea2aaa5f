import { argumentsOf } from '../../../contract/interfaces/arguments.ts';
import { errorAddress } from '../../../contract/interfaces/pages.ts';
import type { Operation } from '../../../contract/operation.ts';
import { descriptionOf, expectedOf } from '../../../contract/parameters.ts';
import { byStatus, codesOf } from '../../description/codes.ts';
import { curlOf } from '../../description/curl.ts';
import { outputFields, typeText } from '../../description/schema-words.ts';
import { type Html, html } from '../html.ts';
import { type Column, command, table } from '../kit/parts.ts';
import { inCode, joined } from '../kit/words.ts';

/** One operation of the reference; its tables are folded, so that an area can be looked through on a phone. */
export function operationArticle(operation: Operation, baseUrl: string): Html {
  const { id, method, path, summary, description } = operation;
  return html`<article aria-labelledby="${id}">
<h2 id="${id}">${summary}</h2>
<p class="call${method !== 'GET' && ' write'}"><b>${method}</b> <code>${path}</code></p>
<p>${inCode(description)}</p>
${tablesOf(operation)}
<details><summary>Statuses and error codes</summary><ul>${statusLines(operation).map((line) => html`<li>${line}</li>`)}</ul></details>
${command(curlOf(operation, baseUrl))}
${otherNames(operation)}
</article>
`;
}

/** Kept, because the tables are most of the work of the page and are the same under every address. */
const tables = new Map<string, Html>();

function tablesOf(operation: Operation): Html {
  const { id } = operation;
  const made =
    tables.get(id) ??
    html`${folded(`Parameters of ${id}`, 'Parameters', parameterRows(operation), PARAMETER_COLUMNS)}
${folded(`Body of ${id}`, bodyTitle(operation), bodyRows(operation), FIELD_COLUMNS)}
${folded(`Answer of ${id}`, answerTitle(operation), answerRows(operation), FIELD_COLUMNS)}`;
  tables.set(id, made);
  return made;
}

/** A table that opens by its title; nothing if it has no rows. */
function folded<Row>(
  caption: string,
  title: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Html | false {
  return (
    rows.length > 0 &&
    html`<details><summary>${title} (${rows.length})</summary>
${table(caption, rows, columns)}</details>`
  );
}

interface Field {
  name: string;
  type: string;
  meaning: string;
}
interface Parameter extends Field {
  place: string;
}

const FIELD_COLUMNS: readonly Column<Field>[] = [
  ['Field', ({ name }) => html`<code>${name}</code>`],
  ['Type', ({ type }) => type],
  ['Meaning', ({ meaning }) => html`${inCode(meaning)}`],
];
const PARAMETER_COLUMNS: readonly Column<Parameter>[] = [
  ['Name', ({ name }) => html`<code>${name}</code>`],
  ['Where', ({ place }) => place],
  ['Expected', ({ type }) => type],
  ['Meaning', ({ meaning }) => html`${inCode(meaning)}`],
];

function parameterRows({ params, query }: Operation): Parameter[] {
  const rows = (place: string, shape: Operation['params']) =>
    Object.entries(shape ?? {}).map(([name, schema]) => ({
      name,
      place: schema.safeParse(undefined).success ? place : `${place}, required`,
      type: expectedOf(schema),
      meaning: descriptionOf(schema),
    }));
  return [...rows('path', params), ...rows('query', query)];
}

function bodyRows(operation: Operation): Field[] {
  const fields = argumentsOf(operation).filter(({ place }) => place === 'body');
  return fields.map(({ target, required, schema }) => ({
    name: target,
    type: required ? `${typeText(schema)}, required` : typeText(schema),
    meaning: String(schema.description ?? ''),
  }));
}

function bodyTitle({ bodyMaxBytes }: Operation): string {
  return bodyMaxBytes === undefined ? 'Body: a JSON object' : `Body: a JSON object, at most ${bodyMaxBytes} bytes`;
}

function answerTitle({ envelope }: Operation): string {
  return envelope === false ? 'Answer, without the envelope' : 'Answer: fields of data';
}

const answerRows = ({ output }: Operation): Field[] => outputFields(output);

function statusLines(operation: Operation): Html[] {
  const { statuses = [200], streams = [], cache, envelope } = operation;
  const json = envelope === false && streams.length > 0 ? [] : ['application/json'];
  return [
    html`${statuses.join(' or ')}: ${[...json, ...streams].join(' or ')}${cache !== undefined && '; 304 if the ETag that you sent is still current'}`,
    ...byStatus(codesOf(operation)).map(
      ([status, codes]) =>
        html`${status}: ${joined(codes.map((code) => html`<a href="${errorAddress(code)}"><code>${code}</code></a>`))}`,
    ),
  ];
}

function otherNames({ names }: Operation): Html | null {
  const words = { mcp: 'MCP tool', a2a: 'A2A skill', sdk: 'SDK method' } as const;
  const known = (['mcp', 'a2a', 'sdk'] as const).filter((door) => names?.[door] !== undefined);
  if (known.length === 0) return null;
  return html`<p>${known.map((door, place) => html`${place > 0 && ' · '}${words[door]} <code>${names?.[door]}</code>`)}</p>`;
}
