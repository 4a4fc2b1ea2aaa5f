import { type Random, weightedTable, zipfTable } from './random.ts';

/** Organisations, people and places of the sample. Every organisation and person is invented; countries and cities are real. */

export type SponsorClass = 'OTHER' | 'INDUSTRY' | 'OTHER_GOV' | 'NIH' | 'NETWORK' | 'FED' | 'INDIV';

export interface Organisation {
  name: string;
  class: SponsorClass;
}

interface Country {
  name: string;
  /** ISRCTN lists the nations of the United Kingdom beside it. */
  nations: readonly string[];
  britishSpelling: boolean;
  cities: readonly (readonly [city: string, lat: number, lon: number])[];
}

function country(name: string, britishSpelling: boolean, cities: Country['cities'], nations: string[] = []): Country {
  return { name, nations, britishSpelling, cities };
}

const UNITED_KINGDOM = country(
  'United Kingdom',
  true,
  [
    ['London', 51.50853, -0.12574],
    ['Leeds', 53.79648, -1.54785],
    ['Glasgow', 55.86515, -4.25763],
    ['Cardiff', 51.48, -3.18],
  ],
  ['England', 'Scotland', 'Wales', 'Northern Ireland'],
);

/** With their share of the studies of ClinicalTrials.gov, roughly. */
export const COUNTRIES = weightedTable<Country>([
  [
    country('United States', false, [
      ['Boston', 42.35843, -71.05977],
      ['Houston', 29.76328, -95.36327],
      ['Seattle', 47.60621, -122.33207],
    ]),
    33,
  ],
  [
    country('China', false, [
      ['Shanghai', 31.22222, 121.45806],
      ['Chengdu', 30.66667, 104.06667],
    ]),
    8,
  ],
  [
    country('France', false, [
      ['Lyon', 45.74846, 4.84671],
      ['Paris', 48.85341, 2.3488],
    ]),
    7,
  ],
  [UNITED_KINGDOM, 6],
  [
    country('Canada', false, [
      ['Montréal', 45.50884, -73.58781],
      ['Toronto', 43.70643, -79.39864],
    ]),
    5,
  ],
  [
    country('Germany', false, [
      ['München', 48.13743, 11.57549],
      ['Berlin', 52.52437, 13.41053],
    ]),
    5,
  ],
  [
    country('Egypt', false, [
      ['Cairo', 30.06263, 31.24967],
      ['Assiut', 27.18096, 31.18368],
    ]),
    5,
  ],
  [country('Italy', false, [['Milan', 45.46427, 9.18951]]), 4],
  [
    country('Spain', false, [
      ['Madrid', 40.4165, -3.70256],
      ['Málaga', 36.72016, -4.42034],
    ]),
    4,
  ],
  [country('South Korea', false, [['Seoul', 37.566, 126.9784]]), 3],
  [country('Turkey (Türkiye)', false, [['Ankara', 39.91987, 32.85427]]), 3],
  [country('Australia', true, [['Melbourne', -37.814, 144.96332]]), 3],
  [country('Netherlands', false, [['Utrecht', 52.09083, 5.12222]]), 2.5],
  [country('Denmark', false, [['Copenhagen', 55.67594, 12.56553]]), 2.5],
  [country('Brazil', false, [['São Paulo', -23.5475, -46.63611]]), 2.5],
  [country('Belgium', false, [['Ghent', 51.05, 3.71667]]), 2],
  [country('Japan', false, [['Osaka', 34.69374, 135.50218]]), 2],
  [country('Pakistan', true, [['Lahore', 31.558, 74.35071]]), 2],
  [country('India', true, [['Pune', 18.51957, 73.85535]]), 2],
  [country('Sweden', false, [['Malmö', 55.60587, 13.00073]]), 1.5],
  [country('Poland', false, [['Łódź', 51.77058, 19.47395]]), 1.5],
  [country('Switzerland', false, [['Zürich', 47.36667, 8.55]]), 1.5],
  [country('Israel', false, [['Haifa', 32.81841, 34.9885]]), 1.2],
  [country('Mexico', false, [['Guadalajara', 20.66682, -103.39182]]), 1],
  [country('South Africa', true, [['Cape Town', -33.92584, 18.42322]]), 1],
  [country('Kenya', true, [['Nairobi', -1.28333, 36.81667]]), 0.7],
  [country('Uganda', true, [['Kampala', 0.31628, 32.58219]]), 0.6],
  [country('Norway', false, [['Oslo', 59.91273, 10.74609]]), 0.9],
  [country('Austria', false, [['Graz', 47.06667, 15.45]]), 0.9],
  [country('Bangladesh', true, [['Dhaka', 23.7104, 90.40744]]), 0.4],
]);

/** ISRCTN's countries: two thirds of its trials recruit in the United Kingdom. */
export const ISRCTN_COUNTRIES = weightedTable<Country>([
  [UNITED_KINGDOM, 60],
  ...COUNTRIES.values
    .filter((value) => value !== UNITED_KINGDOM)
    .map((value, rank) => [value, 40 / (rank + 4)] as const),
]);

export type { Country };

const PLACES =
  'Alderbrook Fairhaven Norwick Castleford-Lea Thornmere Westmarch Silverlake Harrowgate Brindlewood Oakhollow Larkspur Eastvale Kingsmoor Ravensholme Maplecrest Dunmarrow Elmsworth Stonebridge-Upper Willowdene Ashcombe-Regis Port-Lorien Greyfield Halvorsund Marenberg Vallombria Saint-Orens-Neuf Kestrelby Ostermark Quillhaven Redmarsh Solvang-Nord Tamarind-Bay Umberfeld Verdanza Wintermoor Yarrowby Zellingen-Alt Bellmarrow Corvanne Drakenfell'.split(
    ' ',
  );
const PUBLIC_KINDS = [
  'University',
  'University Hospital',
  'Medical Center',
  "Children's Hospital",
  'Cancer Institute',
  'Institute of Health Research',
  'Clinical Trials Unit',
  'General Hospital',
];
const COMPANY_HEADS =
  'Veltrane Ordexa Quorvia Nimbrex Halcydon Prasento Luminova Tessarix Cindrel Aventhos Borealix Zymaris Kepharon Orbisol Myrenza Falconix'.split(
    ' ',
  );
const COMPANY_TAILS = ['Therapeutics', 'Pharma', 'Biosciences', 'Medical', 'Biologics', 'Devices', 'Laboratories'];

const CLASSES = weightedTable<SponsorClass>([
  ['OTHER', 2070],
  ['INDUSTRY', 901],
  ['OTHER_GOV', 63],
  ['NIH', 26],
  ['NETWORK', 24],
  ['FED', 23],
  ['INDIV', 9],
]);

/** How many organisations each class holds; rank decides how often one is drawn, so the list has a heavy head and a long tail. */
const CLASS_SIZES: Readonly<Record<SponsorClass, number>> = {
  OTHER: 12_000,
  INDUSTRY: 4_000,
  OTHER_GOV: 300,
  NIH: 12,
  NETWORK: 40,
  FED: 12,
  INDIV: 500,
};
const RANKS = Object.fromEntries(Object.entries(CLASS_SIZES).map(([name, size]) => [name, zipfTable(size, 8)]));

function numbered(name: string, edition: number): string {
  return edition === 0 ? name : `${name} ${edition + 1}`;
}

function publicName(rank: number): string {
  const place = PLACES[rank % PLACES.length] as string;
  const kind = PUBLIC_KINDS[Math.floor(rank / PLACES.length) % PUBLIC_KINDS.length] as string;
  return numbered(`${place.replaceAll('-', ' ')} ${kind}`, Math.floor(rank / (PLACES.length * PUBLIC_KINDS.length)));
}

function companyName(rank: number): string {
  const head = COMPANY_HEADS[rank % COMPANY_HEADS.length] as string;
  const tail = COMPANY_TAILS[Math.floor(rank / COMPANY_HEADS.length) % COMPANY_TAILS.length] as string;
  return numbered(`${head} ${tail}`, Math.floor(rank / (COMPANY_HEADS.length * COMPANY_TAILS.length)));
}

function organisationName(kind: SponsorClass, rank: number): string {
  switch (kind) {
    case 'INDUSTRY':
      return companyName(rank);
    case 'OTHER_GOV':
      return `Ministry of Health of ${numbered((PLACES[rank % PLACES.length] as string).replaceAll('-', ' '), Math.floor(rank / PLACES.length))}`;
    case 'NIH':
      return `Fictional National Institute ${rank + 1}`;
    case 'FED':
      return `Fictional Federal Health Agency ${rank + 1}`;
    case 'NETWORK':
      return `${(PLACES[rank % PLACES.length] as string).replaceAll('-', ' ')} Cooperative Trials Group`;
    case 'INDIV':
      return `${FORENAMES[rank % FORENAMES.length]} ${SURNAMES[Math.floor(rank / FORENAMES.length) % SURNAMES.length]}, MD (invented)`;
    default:
      return publicName(rank);
  }
}

export function drawOrganisation(random: Random): Organisation {
  const kind = random.weighted(CLASSES);
  return { name: organisationName(kind, random.zipf(RANKS[kind] as ReturnType<typeof zipfTable>)), class: kind };
}

const FORENAMES =
  'Aderyn Bastian Caoimhe Dagny Eskil Fenna Gwilym Hjördis Ilario Jorunn Kasimir Liesel Merrin Noor Oriol Perpetua Quillon Rosalba Sindri Tamsin Ulrika Valdis Wystan Ximena Yorick Zsófia'.split(
    ' ',
  );
const SURNAMES =
  'Ashgrove Birchall-Vane Corrigain Dunsterville Ellingsworth Fennimore Garthwick Hollowell Inglethorpe Jessamine Kirkbranagh Lindqvarn Marchbanke Nettlefield Oxendale Pemberlane Quarrington Ravenscar Silvertree Thistlewood Undermere Valcourt Winterbourne-Ash Yarwell Zellweiger-Horn'.split(
    ' ',
  );

export function drawPerson(random: Random): { forename: string; surname: string } {
  return { forename: random.pick(FORENAMES), surname: random.pick(SURNAMES) };
}

const FUNDERS = [
  'Fairhaven Medical Foundation',
  'Alderbrook Charitable Trust',
  'Norwick Council for Health Research',
  'Investigator initiated and funded',
  'Kingsmoor Institute for Care Research',
  'Verdanza Heart Fund',
];

export function drawFunder(random: Random): string {
  return random.pick(FUNDERS);
}
