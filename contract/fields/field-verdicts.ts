/** What the comparison of two registrations says of a field: an addition to the interface. */

export const FIELD_VERDICTS = {
  equal: 'both registries state the same',
  'equal-after': 'both state the same after the normalisations that `normalisations` names',
  differs: 'both state it, and not the same',
  'only-in': 'one registry states it: the one that `onlyIn` names',
  'not-held':
    'one registry states it; the form in which this index holds the other record lacks the field, so what the other states is unknown here',
  'not-stated': 'neither states it',
} as const;
export type FieldVerdict = keyof typeof FIELD_VERDICTS;

export const NORMALISATIONS = {
  'case-and-space': 'case, white space and Unicode form are set aside',
  order: 'the order of a list and its repeats are set aside',
  'shared-precision': 'a day and a month are compared as months',
  'type-aside': 'whether a date or a number is actual or estimated is set aside',
  'name-only': 'of each item only its name counts: the measure of an outcome, the name of an organisation, a MeSH term',
  'own-numbers': "numbers of the trial's own registrations are set aside: they join its records",
  words:
    'British and American spelling, simple plurals, accents, hyphens and punctuation are set aside, as a search does',
} as const;
export type Normalisation = keyof typeof NORMALISATIONS;
