import { csvRow, isoDay } from '../../raw/csv.ts';
import { objectAt, rootFields, XML_ATTRIBUTE } from '../fields.ts';
import { RecordFault } from '../record.ts';
import { readDate } from '../values.ts';
import type { IsrctnTrial } from './xml.ts';

/**
 * One row of a CSV export, with its head line, in the form of the registry's XML. The statuses are those that the site
 * showed on the day of the export, and stand for the overrides. The export has no title, so that the number stands for it.
 */
export function isrctnTrialOfRow(text: string): IsrctnTrial {
  const row = csvRow(text);
  if (!(row instanceof Map)) {
    throw new RecordFault('not-csv', `the row has ${row.cells} cells where the head has ${row.names}`);
  }
  const textOf = (name: string): string | undefined => row.get(name) || undefined;
  const day = (name: string): string | undefined => {
    const text = textOf(name);
    // A day that cannot be read is noted as the export writes it.
    return text !== undefined && readDate(isoDay(text)) !== null ? isoDay(text) : text;
  };
  const root = rootFields({
    trial: {
      isrctn: textOf('ISRCTN'),
      [`${XML_ATTRIBUTE}lastUpdated`]: day('Record last updated'),
      trialDescription: { title: textOf('ISRCTN') },
      externalRefs: {
        eudraCTNumber: textOf('EudraCT number'),
        clinicalTrialsGovNumber: textOf('ClinicalTrials.gov number'),
      },
      trialDesign: {
        overallStartDate: day('Overall trial start'),
        overallEndDate: day('Overall trial end'),
        overallStatusOverride: textOf('Overall trial status'),
      },
      participants: { recruitmentStatusOverride: textOf('Recruitment status') },
      results: {
        publicationDetails: textOf('Peer-reviewed publications'),
        basicReport: textOf('Basic results'),
      },
    },
  });
  return { root, trial: objectAt(root, 'trial'), sponsors: [], funders: [] };
}
