import type { MatchingRecord } from '../../contract/schemas/trials/matching.ts';

/** How a search by concepts read the words of its query, in sentences. */
export function readAsWords({ because, topic, respelt, leftOut, strict }: MatchingRecord): string[] {
  const read = because.flatMap(({ words, heading, source, year }) =>
    heading === null ? [] : [`"${words}" is read as ${heading} (${source}, ${year})`],
  );
  return [
    ...read,
    ...(topic === undefined ? [] : [`The topic is read as ${topic.concepts.map(({ heading }) => heading).join(', ')}`]),
    ...respelt.map(({ from, to }) => `"${from}" is read as "${to}"`),
    ...(leftOut.length > 0 ? [`Not asked for: ${leftOut.join(', ')}`] : []),
    `By words alone the query finds ${strict.toLocaleString('en-GB')}`,
  ];
}
