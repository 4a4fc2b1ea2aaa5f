import type { IdentifierType } from './registration.ts';

/**
 * Where the registry that gives out a number is looked at, for numbers that this index does not hold: the record's own page
 * where its address follows from the number, else the registry's. {id} stands for the number.
 */
const ADDRESSES: Partial<Readonly<Record<IdentifierType, { registry: string; address: string }>>> = {
  nct: { registry: 'ClinicalTrials.gov', address: 'https://clinicaltrials.gov/study/{id}' },
  isrctn: { registry: 'ISRCTN', address: 'https://www.isrctn.com/{id}' },
  eudract: {
    registry: 'EU Clinical Trials Register',
    address: 'https://www.clinicaltrialsregister.eu/ctr-search/search?query={id}',
  },
  euct: {
    registry: 'EU Clinical Trials Information System',
    address: 'https://euclinicaltrials.eu/search-for-clinical-trials/?lang=en&EUCT={id}',
  },
  utn: { registry: 'WHO ICTRP', address: 'https://trialsearch.who.int/' },
  actrn: {
    registry: 'Australian New Zealand Clinical Trials Registry',
    address: 'https://www.anzctr.org.au/{id}.aspx',
  },
  drks: { registry: 'German Clinical Trials Register', address: 'https://drks.de/search/en/trial/{id}' },
  umin: { registry: 'UMIN Clinical Trials Registry, Japan', address: 'https://www.umin.ac.jp/ctr/' },
  jrct: {
    registry: 'Japan Registry of Clinical Trials',
    address: 'https://jrct.mhlw.go.jp/en-latest-detail/{id}',
  },
  japic: { registry: 'JapicCTI, Japan, continued by jRCT', address: 'https://jrct.mhlw.go.jp/' },
  jma: { registry: 'JMA CCT, Japan, continued by jRCT', address: 'https://jrct.mhlw.go.jp/' },
  pactr: { registry: 'Pan African Clinical Trials Registry', address: 'https://pactr.samrc.ac.za/' },
  chictr: { registry: 'Chinese Clinical Trial Registry', address: 'https://www.chictr.org.cn/' },
  itmctr: { registry: 'ITMCTR, China', address: 'http://itmctr.ccebtcm.org.cn/' },
  ctri: { registry: 'Clinical Trials Registry - India', address: 'https://ctri.nic.in/' },
  irct: { registry: 'Iranian Registry of Clinical Trials', address: 'https://irct.behdasht.gov.ir/' },
  kct: { registry: 'CRIS, Republic of Korea', address: 'https://cris.nih.go.kr/' },
  ctrp: {
    registry: 'NCI Clinical Trials Reporting Program',
    address: 'https://www.cancer.gov/research/participate/clinical-trials-search/v?id={id}',
  },
  snctp: { registry: 'Swiss National Clinical Trials Portal', address: 'https://www.humanforschung-schweiz.ch/' },
  slctr: { registry: 'Sri Lanka Clinical Trials Registry', address: 'https://slctr.lk/' },
  tctr: { registry: 'Thai Clinical Trials Registry', address: 'https://www.thaiclinicaltrials.org/show/{id}' },
  rebec: { registry: 'Brazilian Clinical Trials Registry', address: 'https://ensaiosclinicos.gov.br/rg/{id}' },
  rpcec: { registry: 'Cuban Public Registry of Clinical Trials', address: 'https://rpcec.sld.cu/en/trials/{id}-En' },
  lbctr: { registry: 'Lebanese Clinical Trials Registry', address: 'https://lbctr.moph.gov.lb/' },
  ntr: { registry: 'Dutch trial register', address: 'https://onderzoekmetmensen.nl/' },
};

/** Where a number can be looked up at its registry, in a sentence; empty where no registry of trials gives it out. */
export function elsewhere({ type, value }: { type: IdentifierType; value: string }): string {
  const found = ADDRESSES[type];
  if (found === undefined) return '';
  return `Look at the registry itself: ${found.registry}, ${found.address.replace('{id}', encodeURIComponent(value))}`;
}
