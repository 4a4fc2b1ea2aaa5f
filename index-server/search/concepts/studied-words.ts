import { POSTING } from '../../../snapshot-format/serving-columns.ts';
import { type TextUnit, unitKeys } from '../../../snapshot-format/tokens.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { type Requirement, unitRequirement } from '../filters.ts';

/**
 * Words that name what is studied. A cancer institute as sponsor makes no trial of cancer: a word that the sponsor's name has
 * counts where title, acronym, conditions or interventions have it too. The image does not say whether an official title has
 * it besides; the concepts that an official title names are known without that.
 */

/** One word, or a phrase within one field. */
export function studiedName(image: SnapshotImage, units: TextUnit[]): Requirement {
  const [only] = units;
  if (units.length === 1 && only !== undefined) return studiedUnit(image, only);
  const and = units.filter((unit) => isInSponsor(image, unit)).map((unit) => studiedUnit(image, unit));
  return and.length === 0 ? { phrase: units } : { phrase: units, and };
}

function studiedUnit(image: SnapshotImage, unit: TextUnit): Requirement {
  if (!isInSponsor(image, unit)) return unitRequirement(unit, POSTING.text);
  if (unit.kind === 'word') return studiedWord(unit.key);
  return { anyOf: [studiedWord(unit.joined), { allOf: unit.parts.map(studiedWord) }] };
}

function studiedWord(key: string): Requirement {
  const elsewhere = [POSTING.titleText, POSTING.conditionText, POSTING.intervention].map((field) => field + key);
  return { allOf: [POSTING.text + key, { not: { allOf: [POSTING.sponsor + key, { not: { anyOf: elsewhere } }] } }] };
}

/** An older image does not tell fields apart: there, the sponsor's name counts as any text. */
function isInSponsor(image: SnapshotImage, unit: TextUnit): boolean {
  return image.hasTextFields && unitKeys([unit]).some((key) => image.posting(POSTING.sponsor + key) !== null);
}
