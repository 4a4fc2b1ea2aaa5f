import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { MAX_NESTING } from '../../raw/slice.ts';
import { type Fields, objectAt, objectsAt, rootFields, XML_ATTRIBUTE, XML_TEXT } from '../fields.ts';
import { RecordFault } from '../record.ts';

/** Elements that may repeat, as `parent.child`; a single one is read as a list too. */
const LISTS = new Set([
  'allTrials.fullTrial',
  'fullTrial.contact',
  'fullTrial.sponsor',
  'fullTrial.funder',
  'primaryOutcomes.outcomeMeasure',
  'secondaryOutcomes.outcomeMeasure',
  'secondaryNumbers.secondaryNumber',
  'recruitmentCountries.country',
  'trialCentres.trialCentre',
  'participantTypes.participantType',
  'purposes.purpose',
  'trialTypes.trialType',
  'dataPolicies.dataPolicy',
  'conditions.condition',
  'interventions.intervention',
  'outputs.output',
  'attachedFiles.attachedFile',
  'parties.sponsorId',
  'parties.funderId',
  'parties.contactId',
]);

const LIST_NAMES = new Set([...LISTS].map((list) => list.slice(list.indexOf('.') + 1)));

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: XML_ATTRIBUTE,
  textNodeName: XML_TEXT,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // The field readers trim. Trimming here would also remove the blanks around a CDATA section.
  trimValues: false,
  // Of XML's own five names. The field readers decode all others. A document type is refused before.
  processEntities: true,
  maxNestedTags: MAX_NESTING,
  isArray: (name, path) => LIST_NAMES.has(name) && LISTS.has(String(path).split('.').slice(-2).join('.')),
});

export interface IsrctnTrial {
  trial: Fields;
  /** Sponsors beside the trial; empty when only the `trial` element was received. */
  sponsors: Fields[];
  /** Likewise. */
  funders: Fields[];
  root: Fields;
}

/**
 * The one trial in an XML document whose root is `fullTrial`, `trial`, or `allTrials` around a single `fullTrial`.
 * Throws `not-xml` (also for a document type declaration), `too-deep` and `not-an-object`.
 */
export function parseIsrctnTrial(text: string): IsrctnTrial {
  if (/<!DOCTYPE/i.test(text)) throw new RecordFault('not-xml', 'a document type declaration is not accepted');
  const root = rootFields(parseXml(text));
  const name = Object.keys(root.value ?? {}).find((key) => key !== '?xml') ?? '(none)';
  if (name === 'trial') return { root, trial: objectAt(root, 'trial'), sponsors: [], funders: [] };
  const full = name === 'allTrials' ? onlyTrialOf(root) : objectAt(root, 'fullTrial');
  if (full.value === null || (name !== 'allTrials' && name !== 'fullTrial')) {
    throw new RecordFault('not-an-object', `the root element is ${name}, not fullTrial`);
  }
  const [sponsors, funders] = [objectsAt(full, 'sponsor'), objectsAt(full, 'funder')];
  return { root, trial: objectAt(full, 'trial'), sponsors, funders };
}

function onlyTrialOf(root: Fields): Fields {
  const trials = objectsAt(objectAt(root, 'allTrials'), 'fullTrial');
  const [only] = trials;
  if (trials.length !== 1 || only === undefined) {
    throw new RecordFault('not-an-object', `the document holds ${trials.length} trials; a record is one`);
  }
  return only;
}

function parseXml(text: string): unknown {
  const verdict = XMLValidator.validate(text);
  if (verdict !== true) throw xmlFault(verdict.err.msg);
  try {
    return parser.parse(text);
  } catch (error) {
    throw xmlFault(error instanceof Error ? error.message : String(error));
  }
}

function xmlFault(message: string): RecordFault {
  if (/maximum nested/i.test(message)) return new RecordFault('too-deep', `nested more than ${MAX_NESTING} deep`);
  return new RecordFault('not-xml', message);
}
