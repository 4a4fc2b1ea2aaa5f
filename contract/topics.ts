import { LAB_DISEASE_IDS } from './research.ts';

/** Ids of the curated topics, in the order of data/topics.json; a snapshot says which it was made with. */
export const TOPIC_IDS = [
  ...LAB_DISEASE_IDS,
  'oncology',
  'cardiovascular',
  'infectious-disease',
  'covid-19',
  'mental-health',
  'addiction',
  'neurology',
  'diabetes',
  'respiratory',
  'gastroenterology',
  'nephrology',
  'rheumatology',
  'maternal-and-newborn',
  'pain-and-anesthesia',
  'ophthalmology',
  'dermatology',
  'rare-disease',
] as const;
