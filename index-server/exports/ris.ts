import type { FileTrial } from './trial-columns.ts';

/**
 * A trial as a reference in RIS. Its type is that of a data set, the nearest that reference managers have for a record of a
 * registry. RIS has no place for what holds for a whole file, so each reference carries it.
 */

/** Registries by the name that a reference shows as its database. */
export type RegistryNames = Readonly<Record<string, string>>;

export function risRecord(trial: FileTrial, provenance: string, registryNames: RegistryNames): string {
  const [first] = trial.registrations;
  const posted = trial.dates.firstPosted?.date ?? null;
  const registries = trial.registrations.map(({ registry }) => registryNames[registry] ?? registry);
  const lines: [tag: string, value: string | null][] = [
    ['TI', trial.title],
    ['AU', trial.sponsor.name === null ? null : corporateAuthor(trial.sponsor.name)],
    ['PY', posted === null ? null : posted.slice(0, 4)],
    ['DA', posted === null ? null : risDate(posted)],
    ['PB', registries.join(' and ')],
    ['DB', registries.join(' and ')],
    ['AN', trial.registrations.map(({ id }) => id).join(', ')],
    ['ID', trial.canonicalId],
    ...trial.conditions.map((condition): [string, string] => ['KW', condition]),
    ['N1', `Sponsor: ${trial.sponsor.name ?? 'not stated'}. Status: ${trial.status}. Phase: ${trial.phase}.`],
    ['N1', trial.citation.text],
    ['N1', trial.officialTitle === null ? null : `Official title: ${trial.officialTitle}`],
    ['N1', provenance],
    ...trial.registrations.map(({ url }): [string, string] => ['UR', url]),
    ['L2', trial.page],
    ['Y2', first === undefined ? null : risDate(first.retrievedAt.slice(0, 10))],
  ];
  const written = lines.flatMap(([tag, value]) => (value === null || value === '' ? [] : [risLine(tag, value)]));
  return `${risLine('TY', 'DATA')}${written.join('')}ER  - \r\n\r\n`;
}

/** A value that cannot begin a line of its own. */
function risLine(tag: string, value: string): string {
  return `${tag}  - ${value.replaceAll(/\s+/g, ' ').trim()}\r\n`;
}

/** A comma would part the name of an organisation into a family name and a given name; the note has the name as written. */
function corporateAuthor(name: string): string {
  return name.replaceAll(/\s*,\s*/g, ' ');
}

/** YYYY/MM/DD/, with what is not stated left empty. */
function risDate(date: string): string {
  const [year, month = '', day = ''] = date.split('-');
  return `${year}/${month}/${day}/`;
}
