/**
 * Singular key: equal for a word and its simple plural. It need not be a word ("series" becomes "sery"), but two words of
 * different meaning must not share a key; the exceptions are words that would. Input is lower case without accents and
 * without possessive 's; the spelling fold comes afterwards.
 */

const words = (list: string): string[] => list.trim().split(/\s+/);

/** Words whose final s is no plural and whose rest is another word (aid, len, new, ten, ...). */
const KEPT = new Set(
  words(`
    aids ards bias erysipelas gas glans lens mers mons news pancreas pars pcos plus pons pots sars sids tens trans vats
    biceps forceps quadriceps triceps atlas alias canvas iris mars asbestos axis basis chaos cosmos ethos sepsis
    across always does goes has his its less perhaps this thus unless us versus vs was yes is as
    arkansas bahamas christmas dallas honduras kansas texas elias lucas lukas matthias nicholas silas thomas tobias`),
);

/** Plurals outside the ending rules: Germanic, Latin and Greek, and lower-case acronyms whose s follows i or u. */
const IRREGULAR = new Map(
  words(`
    children>child women>woman men>man feet>foot teeth>tooth mice>mouse lice>louse geese>goose oxen>ox people>person
    calves>calf halves>half selves>self knives>knife wives>wife midwives>midwife housewives>housewife leaves>leaf
    shelves>shelf wolves>wolf hooves>hoof themselves>themselves ourselves>ourselves
    criteria>criterion phenomena>phenomenon mitochondria>mitochondrion ganglia>ganglion spermatozoa>spermatozoon
    protozoa>protozoon automata>automaton
    bacteria>bacterium ova>ovum sera>serum strata>stratum septa>septum atria>atrium crania>cranium ostia>ostium
    diverticula>diverticulum epithelia>epithelium acetabula>acetabulum symposia>symposium curricula>curriculum
    nuclei>nucleus stimuli>stimulus thrombi>thrombus emboli>embolus foci>focus loci>locus fungi>fungus bacilli>bacillus
    alveoli>alveolus bronchi>bronchus nevi>nevus naevi>naevus calculi>calculus villi>villus cocci>coccus radii>radius
    enterococci>enterococcus staphylococci>staphylococcus streptococci>streptococcus meningococci>meningococcus
    pneumococci>pneumococcus gonococci>gonococcus menisci>meniscus gyri>gyrus sulci>sulcus uteri>uterus tophi>tophus
    thalami>thalamus hippocampi>hippocampus rami>ramus
    indices>index matrices>matrix appendices>appendix cortices>cortex vertices>vertex helices>helix cervices>cervix
    apices>apex varices>varix phalanges>phalanx
    vertebrae>vertebra bursae>bursa larvae>larva sequelae>sequela maculae>macula fistulae>fistula formulae>formula
    papillae>papilla petechiae>petechia trabeculae>trabecula amoebae>amoeba amebae>ameba striae>stria algae>alga
    bullae>bulla cannulae>cannula patellae>patella scapulae>scapula retinae>retina lacunae>lacuna lamellae>lamella
    stigmata>stigma schemata>schema
    crises>crisis axes>axis testes>testis emphases>emphasis oases>oasis antisepses>antisepsis catharses>catharsis
    synopses>synopsis ellipses>ellipsis peristalses>peristalsis
    biases>bias gases>gas gasses>gas lenses>lens irises>iris atlases>atlas aliases>alias canvases>canvas pelvises>pelvis
    penises>penis clitorises>clitoris pancreases>pancreas pancreata>pancreas quizzes>quiz christmases>christmas
    feces>feces faeces>faeces rabbis>rabbi taxis>taxi menus>menu alkalis>alkali alibis>alibi
    ssris>ssri snris>snri maois>maoi tkis>tki ppis>ppi mris>mri utis>uti stis>sti pcis>pci icis>ici nrtis>nrti
    nnrtis>nnrti parpis>parpi bmis>bmi icus>icu nicus>nicu picus>picu ccus>ccu`).map((pair) => {
    const [plural = '', singular = ''] = pair.split('>');
    return [plural, singular] as const;
  }),
);

interface EndingRule {
  ending: RegExp;
  replacement: string;
  why: string;
}

const OE_WORDS = '(?:horse|snow)?shoe|(?:tip)?toe|canoe|oboe|aloe|floe|throe|sloe|(?:back)?hoe|foe|roe|woe';
const USE_WORDS =
  '(?:re|mis|over|under|dis)?use|abuse|excuse|refuse|fuse|(?:in|trans|per|reper|dif|suf|con|de|ef|pro)fuse|peruse|' +
  'muse|amuse|bemuse|accuse|recluse|hypotenuse|ruse|masseuse|(?:de)?louse|douse|(?:a|ca)?rouse|grouse|' +
  '[a-z]*(?:ause|house|mouse|spouse|blouse)';
const SUGARS =
  'gluc|lact|fruct|sucr|sucral|malt|galact|mann|rib|xyl|fuc|cellul|lactul|trehal|dextr|raffin|amyl|agar|sephar|' +
  'pent|hex|tri|arabin|levul|sorb|tetr|hept|ald|ket|rhamn|stachy|melib|inul|tagat';
const OSE_WORDS =
  '^(?:over|under|mega|micro|mini|multi|mid|single|high|low|re|non|iso)?dose|^(?:blue)?nose|^hose|^(?:prim|tube)?rose|' +
  '^(?:com|decom|dis|predis|ex|im|op|pro|pur|multipur|sup|presup|trans|juxta|inter|re|super|de)?pose|' +
  '^(?:en|dis|fore)?close|^lose|^prose|oose|adipose|' +
  `(?:${SUGARS})ose`;
const ACHE_WORDS =
  '(?:head|tooth|back|stomach|heart|belly|ear|body|muscle|tummy|face|bone)?ache|cache|niche|avalanche|creche|psyche|' +
  'cliche|mo?ustache|quiche|douche|attache|pastiche|(?:micro)?fiche|cloche';

/** The first match applies; a word without a match is its own singular. */
const ENDINGS: readonly EndingRule[] = [
  { ending: /^(?:marie|julie)$/, replacement: '$&', why: 'names, not Mary and July' },
  { ending: /(?<=^.)ies$/, replacement: 'ie', why: 'dies, ties' },
  { ending: /ies$/, replacement: 'y', why: 'therapies; series and species get a key of their own' },
  { ending: /(?<=...)ie$/, replacement: 'y', why: 'calorie meets calories' },
  { ending: /(?<=om)ata$/, replacement: 'a', why: 'carcinomata' },
  { ending: new RegExp(`^(${OE_WORDS})s$`), replacement: '$1', why: 'toes, shoes' },
  { ending: /oes$/, replacement: 'o', why: 'potatoes' },
  { ending: /sses$/, replacement: 'ss', why: 'processes' },
  { ending: /yses$/, replacement: 'ysis', why: 'analyses, dialyses: noun and verb share one key' },
  { ending: new RegExp(`^(${USE_WORDS})s$`), replacement: '$1', why: 'causes, uses' },
  { ending: /uses$/, replacement: 'us', why: 'viruses, sinuses' },
  { ending: /((?:chee|obe|dioce|japane|chine|mangane)se)s$/, replacement: '$1', why: 'cheeses' },
  { ending: /eses$/, replacement: 'esis', why: 'prostheses' },
  { ending: new RegExp(`(${OSE_WORDS})s$`), replacement: '$1', why: 'doses, noses, glucoses' },
  { ending: /oses$/, replacement: 'osis', why: 'thromboses' },
  { ending: /(?<!ela)(sta|ia|cra)ses$/, replacement: '$1sis', why: 'metastases, candidiases; not elastases' },
  { ending: /(?<!p)ectases$/, replacement: 'ectasis', why: 'bronchiectases' },
  {
    ending: /(itis|dermis|glottis|brevis|cannabis|trellis|polis)es$/,
    replacement: '$1',
    why: 'arthritises, trellises',
  },
  { ending: /itides$/, replacement: 'itis', why: 'arthritides' },
  { ending: /ses$/, replacement: 'se', why: 'diseases, responses, kinases' },
  { ending: /xes$/, replacement: 'x', why: 'reflexes' },
  { ending: new RegExp(`^(${ACHE_WORDS})s$`), replacement: '$1', why: 'headaches, niches' },
  { ending: /(ch|sh|zz|tz)es$/, replacement: '$1', why: 'patches, rashes' },
  { ending: /(?<![sui])s$/, replacement: '', why: 'the plain plural; -ss, -us and -is are singular' },
];

const PLAIN_PLURAL = ENDINGS.slice(-1);

/** True for words like AIDS and lens, whose final s is not a plural. */
export function keepsFinalS(word: string): boolean {
  return KEPT.has(word);
}

/**
 * Singular key of a word (lower case, no accents, no possessive).
 * @returns the word itself where no rule applies
 */
export function singularKey(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length <= 3 || KEPT.has(word)) return word;
  // Only words in -s, -ie and -ata can match an ending, and without -es only the plain plural.
  const mayEnd = word.endsWith('s') || word.endsWith('ie') || word.endsWith('ata');
  if (!mayEnd) return word;
  for (const { ending, replacement } of word.endsWith('s') && !word.endsWith('es') ? PLAIN_PLURAL : ENDINGS) {
    if (ending.test(word)) return word.replace(ending, replacement);
  }
  return word;
}
