import { foldTexts, isMadeOf, OWN_WORDS } from '../../contract/own-words.ts';
import { HOW_TO_SEARCH, RULES } from './guide.ts';

const GUIDE = foldTexts([...HOW_TO_SEARCH, ...RULES]);
/** A number of ClinicalTrials.gov in prose, also with a blank or a sign within. */
const NCT_NUMBER = /(?<![A-Z0-9])NCT[ :#-]?(\d{8})(?!\d)/gi;

/**
 * What is wrong with the searchStrategy of a report: it names numbers of other trials and not that of its own, or it is the guide's text.
 * A number of another registry may be one of the same trial.
 */
export function strategyIssues({ nctId, searchStrategy }: { nctId: string; searchStrategy: string }) {
  const named = [...searchStrategy.normalize('NFKC').matchAll(NCT_NUMBER)].map(([, digits]) => `NCT${digits}`);
  const issues: { path: string; message: string }[] = [];
  if (named.length > 0 && !named.includes(nctId)) {
    const message = `expected a search for ${nctId}: this names ${named[0]} and not the trial of the report`;
    issues.push({ path: 'searchStrategy', message });
  }
  if (isMadeOf(searchStrategy, GUIDE)) issues.push({ path: 'searchStrategy', message: OWN_WORDS });
  return issues;
}
