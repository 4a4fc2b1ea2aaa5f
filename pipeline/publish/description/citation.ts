import type { DatasetFacts, DescribedSnapshot } from './facts.ts';

/** CITATION.cff, version 1.2.0. Every text stands in double quotes as JSON, which YAML reads. */
export function citationFile(snapshot: DescribedSnapshot, facts: DatasetFacts): string {
  const { title, description, licences, sources, creator, keywords } = facts;
  const text = JSON.stringify;
  return `${[
    'cff-version: 1.2.0',
    'message: "If you use this snapshot, cite it and the registries that its records come from."',
    'type: dataset',
    `title: ${text(title)}`,
    `abstract: ${text(`${description} Licences: ${licences.map((licence) => `${licence.title} (${licence.url})`).join('; ')}.`)}`,
    'authors:',
    `  - name: ${text(creator)}`,
    `version: ${text(snapshot.version)}`,
    `date-released: ${snapshot.createdAt.slice(0, 10)}`,
    'identifiers:',
    '  - type: other',
    `    value: ${text(`sha256:${snapshot.identity}`)}`,
    '    description: "Identity of the snapshot: SHA-256 of its statement.json, which the log of publications of the service lists"',
    '  - type: other',
    `    value: ${text(`sha256:${snapshot.contentHash}`)}`,
    '    description: "Content hash of the snapshot, equal where the content is"',
    'keywords:',
    ...keywords.map((keyword) => `  - ${text(keyword)}`),
    ...(sources.length === 0 ? [] : ['references:']),
    ...sources.flatMap((source) => [
      '  - type: database',
      `    title: ${text(source.title)}`,
      '    authors:',
      `      - name: ${text(source.publisher)}`,
      `    url: ${text(source.url)}`,
      `    notes: ${text(source.licence.title)}`,
    ]),
  ].join('\n')}\n`;
}
