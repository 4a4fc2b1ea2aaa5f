import { ModalityInference } from '../../index-server/modality/infer.ts';
import type { FurtherTexts, Intervention, TrialTexts } from '../../index-server/modality/trial-texts.ts';
import { loadModalityVocabulary } from '../../index-server/modality/vocabulary.ts';

/** What the tests of modalities share: the reviewed vocabulary, and interventions and trials of few words. */

export const vocabulary = loadModalityVocabulary();
export const inference = new ModalityInference(vocabulary);

export const given = (
  name: string | null,
  type: string | null = 'other',
  more: Partial<Intervention> = {},
): Intervention => ({
  type,
  name,
  otherNames: [],
  description: null,
  ...more,
});
export const trialOf = (interventions: Intervention[], further: Partial<FurtherTexts> = {}): TrialTexts => ({
  interventions,
  further: () => ({ titles: [], descriptions: [], arms: [], mesh: [], ...further }),
});
export const labels = (...interventions: Intervention[]): string[] =>
  inference.labels(trialOf(interventions)).map(({ id }) => id);
export const ofName = (name: string, type = 'other'): string[] => labels(given(name, type));
