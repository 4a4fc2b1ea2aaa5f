import { parseIdentifier, parsePlaceholder } from '../../snapshot-format/identifiers.ts';
import { elsewhere } from '../../snapshot-format/registry-addresses.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { divisionOf, readTrial, resolveId } from './held-trial.ts';

const CANONICAL = /^wt_[0-9a-z]{12}$/i;
const STATED_SHOWN = 5;

/** Whether a text has the form of a canonical id or of an identifier that this index recognises. */
export function isIdentifier(text: string): boolean {
  return CANONICAL.test(text.trim()) || parseIdentifier(text) !== null || parsePlaceholder(text) !== null;
}

/** What a refusal says of an id that leads to no trial, or to several: not understood and not held are two things. */
export function unheldId(image: SnapshotImage, id: string): { message: string } {
  const { message } = divisionOf(image, id);
  if (message !== undefined) return { message };
  if (CANONICAL.test(id.trim())) {
    return {
      message: `${id} is a canonical id, but no trial of this index has it or had it before.`,
    };
  }
  const example = parsePlaceholder(id);
  if (example !== null) {
    return {
      message: `${example.value} is understood (${example.type}) but not held: it is a number that people write where they have none, and no registry gives it to a record.`,
    };
  }
  const read = parseIdentifier(id);
  if (read === null) {
    return {
      message: `${id} is not understood: it has the form of no canonical id (wt_ and twelve characters) and of no registry identifier, and no record states it. To search for words, use /api/v1/trials/search.`,
    };
  }
  const stated = resolveId(image, id)?.rows.map((row) => readTrial(image, row).canonicalId) ?? [];
  if (stated.length > 0) {
    return {
      message:
        `${read.value} is understood (${read.type}) but not held: no registration here has it. It is only stated by ${stated.slice(0, STATED_SHOWN).join(', ')}; /api/v1/trials/registrations?id= shows where. ${elsewhere(read)}`.trimEnd(),
    };
  }
  const more = [...(read.suspect ? [FAILS_CHECK] : []), elsewhere(read)].filter((sentence) => sentence !== '');
  const not =
    'no registration of this index has it and none states it, which does not prove that it was never registered.';
  return {
    message: [`${read.value} is understood (${read.type}) but not held: ${not}`, ...more].join(' '),
  };
}

const FAILS_CHECK = 'It fails the check of such numbers, so a digit may be wrong.';

/** What an answer says of `q` where it is the number of a record that is not held: the count of its words says nothing of it. */
export function unheldNotice(image: SnapshotImage, q = ''): string | null {
  return isIdentifier(q) && resolveId(image, q) === null ? unheldId(image, q).message : null;
}
