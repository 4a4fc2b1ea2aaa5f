import type { FileTrial } from './trial-columns.ts';

/**
 * A trial as a reference in RIS. Its type is that of a data set, the nearest that reference managers have for a record of a
 * registry. RIS has no place for what holds for a whole file: the first reference carries it, the others where it came from.
 */

/** Registries by the name that a reference shows as its database. */
export type RegistryNames = Readonly<Record<string, string>>;

/** Writes the trials of one file as references. */
export function risWriter(
  provenance: { first: string; others: string },
  registryNames: RegistryNames,
): (trial: FileTrial) => string {
  const beginning = line('TY', 'DATA');
  let note = line('N1', provenance.first);
  return (trial) => {
    const posted = trial.dates.firstPosted?.date ?? null;
    const registries = trial.registrations.map(({ registry }) => registryNames[registry] ?? registry).join(' and ');
    const { name: sponsor } = trial.sponsor;
    let text = beginning + line('TI', trial.title);
    if (sponsor !== null) text += line('AU', corporateAuthor(sponsor));
    if (posted !== null) text += line('PY', posted.slice(0, 4)) + line('DA', risDate(posted));
    text += line('PB', registries) + line('DB', registries);
    text += line('AN', trial.registrations.map(({ id }) => id).join(', ')) + line('ID', trial.canonicalId);
    for (const condition of trial.conditions) text += line('KW', condition);
    text += line('N1', `Sponsor: ${sponsor ?? 'not stated'}. Status: ${trial.status}. Phase: ${trial.phase}.`);
    text += line('N1', trial.citation.text);
    if (trial.officialTitle !== null) text += line('N1', `Official title: ${trial.officialTitle}`);
    text += note;
    note = line('N1', provenance.others);
    for (const { url } of trial.registrations) text += line('UR', url);
    text += line('L2', trial.page);
    const [first] = trial.registrations;
    if (first !== undefined) text += line('Y2', risDate(first.retrievedAt.slice(0, 10)));
    return `${text}ER  - \r\n\r\n`;
  };
}

/** White space of any kind but one space between words. */
const TO_NARROW = /[^\S ]| {2}|^ | $/;

/** A value that cannot begin a line of its own; nothing where nothing is stated. Few values need to be changed, and looking for it is cheaper. */
function line(tag: string, value: string | null): string {
  if (value === null || value === '') return '';
  return `${tag}  - ${TO_NARROW.test(value) ? value.replaceAll(/\s+/g, ' ').trim() : value}\r\n`;
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
