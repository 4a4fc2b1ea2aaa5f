import { describe, expect, it } from 'vitest';
import { COMPARED_LIST } from '../contract/fields/field-shapes.ts';
import { normaliseIsrctn } from '../pipeline/normalise/isrctn/isrctn.ts';
import { COMPARED_FIELDS } from '../snapshot/format/field-comparison.ts';
import { registration } from '../test/builders/registration.ts';
import { CSV_FIELDS, recordForms } from './record-forms.ts';
import type { KeyedReads, RawPayload, ReadSnapshot } from './store/keyed-store.ts';

const CSV_HEAD =
  'ISRCTN,Basic results,Peer-reviewed publications,Overall trial start,Overall trial end,Record last updated,Overall trial status,Recruitment status,EudraCT number,ClinicalTrials.gov number';
const FULL_ROW =
  'ISRCTN12345679,See results,"2021 Results article in https://pubmed.ncbi.nlm.nih.gov/123/ (added 01/04/2022)",01/10/2021,30/09/2023,01/04/2022,Stopped,No longer recruiting,2019-003404-13,NCT01234567';
const OLDER_XML =
  '<fullTrial><trial><isrctn>12345679</isrctn><trialDescription><title>T</title><scientificTitle>T</scientificTitle><acronym/><primaryOutcome/><secondaryOutcome/><plainEnglishSummary/></trialDescription><externalRefs/><trialDesign><primaryStudyDesign/><studyDesign/><trialType/><overallStartDate/><overallEndDate/></trialDesign><participants><recruitmentCountries/><trialCentres/><participantType/><gender>Both</gender><targetEnrolment/></participants><conditions/><interventions/><results><dataPolicy/></results><attachedFiles/></trial></fullTrial>';
/** What the current schema has beside the earlier ones. */
const CURRENT_XML = OLDER_XML.replace('<trial>', '<trial lastUpdated="2026-01-01T00:00:00.000Z">')
  .replace('<isrctn>', '<ns2:isrctn dateAssigned="2020-01-01T00:00:00.000Z">')
  .replace('</isrctn>', '</ns2:isrctn>')
  .replace('<primaryOutcome/>', '<primaryOutcome/><primaryOutcomes/>')
  .replace('<gender>', '<lowerAgeLimit/><gender>')
  .replace('<dataPolicy/>', '<dataPolicies/><ipdSharingStatement/>')
  .replace('<attachedFiles/>', '<miscellaneous><ipdSharingPlan/></miscellaneous><outputs/><attachedFiles/>')
  .replace('</trial>', '</trial><sponsor id="a"/><funder id="b"/>');

const READ = { checksum: 'sha256:00', aliases: [] } as never;
const SNAPSHOT = {} as ReadSnapshot;

function storeOf(format: RawPayload['format'], text: string): KeyedReads {
  const rawPayloads: KeyedReads['rawPayloads'] = async (_snapshot, [key]) => [
    { registration: key!.id, checksum: key!.checksum, format, json: Buffer.from(JSON.stringify(text)) },
  ];
  return { rawPayloads, publications: async () => [] };
}

async function lackedBy(id: string, store: KeyedReads) {
  const { registry } = registration(id);
  const [form] = await recordForms(store, SNAPSHOT, [Object.assign({ registry, id }, READ as object) as never]);
  return {
    lacks: COMPARED_FIELDS.map(({ name }) => name).filter((name) => !form!.holds(name)),
    lacking: form!.lacking,
  };
}

const leafOf = (path: string) => path.split('.')[1] as 'start';

function isBlank(value: unknown): boolean {
  return (
    value === null || value === 'unknown' || value === 'not-stated' || (Array.isArray(value) && value.length === 0)
  );
}

describe('the form in which a record is held', () => {
  it('of a CSV row has exactly the fields that a full row states', async () => {
    const read = normaliseIsrctn(Buffer.from(`${CSV_HEAD}\n${FULL_ROW}`), '2026-11-23T03:00:00.000Z', {
      asOf: '2022-04-01',
    });
    if (!read.ok) throw new Error(read.detail);
    const { registration: row } = read;
    const stated = COMPARED_LIST.filter(({ name, path, field }) => {
      const value: unknown = Object.hasOwn(row, field.name) ? row[field.name as 'title'] : row.dates[leafOf(path)];
      return !isBlank(value) && name !== 'title';
    });
    expect(stated.map(({ name }) => name).toSorted()).toEqual(CSV_FIELDS.toSorted());
    const { lacks, lacking } = await lackedBy('ISRCTN12345679', storeOf('csv', `${CSV_HEAD}\n${FULL_ROW}`));
    expect(lacking).toBe("a row of the registry's CSV export");
    expect(lacks).toHaveLength(COMPARED_FIELDS.length - CSV_FIELDS.length);
  });

  it('of an earlier schema of the XML lacks what that schema had no element for', async () => {
    expect(await lackedBy('ISRCTN12345679', storeOf('xml', OLDER_XML))).toEqual({
      lacks: [
        ...['sponsor', 'sponsor.class', 'dates.firstPosted', 'dates.lastUpdated', 'sponsors', 'funders'],
        ...['design.masking', 'design.interventionModel', 'eligibility.minimumAge', 'eligibility.maximumAge'],
        ...['ipdSharing.plan', 'ipdSharing.statement'],
      ],
      lacking: 'an XML record without some elements of the current schema',
    });
  });

  it('of the current schema of the XML holds every field, blank or not', async () => {
    expect(await lackedBy('ISRCTN12345679', storeOf('xml', CURRENT_XML))).toEqual({ lacks: [], lacking: null });
  });

  const whole = {
    hasResults: false,
    protocolSection: {
      statusModule: { overallStatus: 'COMPLETED' },
      sponsorCollaboratorsModule: { leadSponsor: {} },
      designModule: { studyType: null },
    },
  };

  it.each([
    ['without a status', { ...whole, protocolSection: { ...whole.protocolSection, statusModule: {} } }],
    ['without hasResults', { protocolSection: whole.protocolSection }],
  ])('of a study %s may lack any field', async (_, study) => {
    const { lacks, lacking } = await lackedBy('NCT01234567', storeOf('json', JSON.stringify(study)));
    expect(lacks).toHaveLength(COMPARED_FIELDS.length);
    expect(lacking).toBe('a study that was asked for with some of its fields only');
  });

  it('of a whole study holds every field', async () => {
    const read = await lackedBy('NCT01234567', storeOf('json', JSON.stringify(whole)));
    expect(read).toEqual({ lacks: [], lacking: null });
  });
});
