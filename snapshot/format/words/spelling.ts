/**
 * Spelling fold: British and American spellings of a word get one key. The key need not be a word ("exercize"), but two
 * different words must not share a key; the exceptions are words that would, and rules name their stems. Input is a
 * singular key (lower case, no accents). Left out on purpose, because the twin is another word: tyre/tire,
 * gage/gauge, storey/story, draught/draft, cheque/check, kerb/curb, and flexion (never "flection").
 */

interface SpellingRule {
  pattern: RegExp;
  replacement: string;
  why: string;
}

interface SpellingFamily {
  family: string;
  /** A word without this cannot match any rule of the family. */
  needs: RegExp;
  rules: readonly SpellingRule[];
}

/** Their -z- twin is another word: prize, apprize, maize, seize, assize, baize, bize. */
const NOT_IZE = /^(?:pr|appr|ma|se|ass|ba|b)is(?:e|ed|er|ing)$/;

const AE_TO_E: SpellingFamily = {
  family: 'ae > e',
  needs: /ae|cesarian/,
  rules: [
    { pattern: /aemi(?=[aco]|$)/, replacement: 'emi', why: 'anaemia, leukaemic' },
    { pattern: /^haem$/, replacement: 'heme', why: 'haem' },
    { pattern: /haem(?=[aeiot])/, replacement: 'hem', why: 'haematology, haemorrhage, methaemoglobin' },
    { pattern: /paed(?=[aeio])/, replacement: 'ped', why: 'paediatric, orthopaedic' },
    { pattern: /gynaec/, replacement: 'gynec', why: 'gynaecology' },
    { pattern: /aesth(?=[ae])/, replacement: 'esth', why: 'anaesthesia, paraesthesia' },
    { pattern: /aetio(?=[lp])/, replacement: 'etio', why: 'aetiology, aetiopathogenesis' },
    { pattern: /caec(?=[aiou])/, replacement: 'cec', why: 'caecum, ileocaecal' },
    { pattern: /faec(?=[aeu])/, replacement: 'fec', why: 'faecal' },
    { pattern: /caesar/, replacement: 'cesar', why: 'caesarean' },
    { pattern: /cesarian/, replacement: 'cesarean', why: 'second spelling of caesarean' },
    { pattern: /^caesi(?=u)/, replacement: 'cesi', why: 'caesium' },
    { pattern: /caerul/, replacement: 'cerul', why: 'caeruloplasmin' },
    { pattern: /phaeo(?=ch|m)/, replacement: 'pheo', why: 'phaeochromocytoma' },
    { pattern: /(pal|arch)aeo/, replacement: '$1eo', why: 'palaeopathology, archaeology' },
    { pattern: /naev(?=[iou])/, replacement: 'nev', why: 'naevus' },
    { pattern: /^laev(?=[ou])/, replacement: 'lev', why: 'laevodopa, laevulose' },
    { pattern: /^taeni/, replacement: 'teni', why: 'taenia' },
    { pattern: /^praevia$/, replacement: 'previa', why: 'placenta praevia' },
    { pattern: /praecord/, replacement: 'precord', why: 'praecordial' },
    { pattern: /paeni(?=[ac])/, replacement: 'peni', why: 'osteopaenia, a common misspelling' },
    { pattern: /^mediaeval/, replacement: 'medieval', why: 'mediaeval' },
    { pattern: /aestiv/, replacement: 'estiv', why: 'aestival' },
  ],
};

/**
 * American words too contain o + edem, o + esoph and o + estr (angioedema, gastroesophageal, phytoestrogen), so one or
 * two o are folded on both sides alike.
 */
const OE_TO_E: SpellingFamily = {
  family: 'oe > e',
  needs: /oe/,
  rules: [
    { pattern: /o{1,2}edem/, replacement: 'edem', why: 'oedema, papilloedema, angioedema' },
    { pattern: /o{1,2}esoph/, replacement: 'esoph', why: 'oesophagus, gastrooesophageal' },
    { pattern: /o{1,2}estr(?=[aiou])/, replacement: 'estr', why: 'oestrogen, phytoestrogen' },
    { pattern: /foet(?=[aiou])/, replacement: 'fet', why: 'foetus, foetid' },
    { pattern: /coeli(?=[aopt])/, replacement: 'celi', why: 'coeliac' },
    { pattern: /coelom/, replacement: 'celom', why: 'coelom' },
    { pattern: /rrhoe(?=[ai])/, replacement: 'rrhe', why: 'diarrhoea, seborrhoeic' },
    { pattern: /pnoe(?=[ai])/, replacement: 'pne', why: 'dyspnoea, apnoeic' },
    { pattern: /poeia/, replacement: 'peia', why: 'pharmacopoeia' },
    { pattern: /homoeo/, replacement: 'homeo', why: 'homoeopathy' },
    { pattern: /amoeb/, replacement: 'ameb', why: 'amoebiasis' },
    { pattern: /manoeuv/, replacement: 'maneuv', why: 'manoeuvre' },
  ],
};

/** By stems, never in general: hour, four, tour, course, contour and journal keep their u. */
const OUR_TO_OR: SpellingFamily = {
  family: 'our > or',
  needs: /ou/,
  rules: [
    {
      pattern:
        /(behavi|col|fav|flav|hon|hum|lab|neighb|od|rum|tum|vap|vig|sav|savi|arm|harb|endeav|splend|rig|ranc|succ|clam|ferv|parl|demean|val|cand|ard|arb|enam)our/,
      replacement: '$1or',
      why: 'tumour, behavioural',
    },
    { pattern: /^mould/, replacement: 'mold', why: 'mould' },
    { pattern: /^moult/, replacement: 'molt', why: 'moult' },
    { pattern: /^smoulder/, replacement: 'smolder', why: 'smoulder' },
  ],
};

const RE_TO_ER: SpellingFamily = {
  family: 're > er',
  needs: /re|ring$/,
  rules: [
    {
      pattern:
        /(cent|fib|lit|met|calib|tit|goit|theat|spect|lust|sab|mit|nit|och|maneuv|meag|somb|sepulch|reconnoit|philt|accout)re(?=$|like$|optic|opt|glass|scop|board|less|piece|fold)/,
      replacement: '$1er',
      why: 'centre, millilitre, fibreoptic',
    },
    {
      pattern: /(cent|fib|mit|lust|accout|sepulch|tit|calib|maneuv)red$/,
      replacement: '$1ered',
      why: 'centred',
    },
    { pattern: /^((?:re)?cent|(?:out)?maneuv)ring$/, replacement: '$1ering', why: 'centring, manoeuvring' },
  ],
};

/** Runs before the doubled consonants, which look for -iz-. */
const S_TO_Z: SpellingFamily = {
  family: 'ise > ize, yse > yze',
  needs: /[iy]s(?:[ei]|ab)|isat/,
  rules: [
    {
      pattern: /(?<=l)ys(?=(?:e|ed|er|ing|able)$)/,
      replacement: 'yz',
      why: 'analyse, lysed; the plural -yses is -ysis already',
    },
    { pattern: /(?<=[a-z]{2})isation(?=$|al$|ally$)/, replacement: 'ization', why: 'randomisation' },
    {
      pattern: /(?<=[a-z]{2})is(?=(?:e|ed|er|ing|able|ably|ability)$)/,
      replacement: 'iz',
      why: 'randomise; any stem, as both sides fold alike (exercize)',
    },
  ],
};

const OGUE_TO_OG: SpellingFamily = {
  family: 'ogue > og',
  needs: /ogu/,
  rules: [
    {
      pattern: /(anal|catal|dial|homol|orthol|paral|monol|prol|epil|xenol|travel)ogue(?=$|r$)/,
      replacement: '$1og',
      why: 'analogue',
    },
    { pattern: /(catal|dial)ogued$/, replacement: '$1oged', why: 'catalogued' },
    { pattern: /(catal|dial)oguing$/, replacement: '$1oging', why: 'cataloguing' },
  ],
};

const ENDINGS: SpellingFamily = {
  family: 'single endings',
  needs: /gramme|gement|ageing|ence|practi|licence/,
  rules: [
    { pattern: /gramme$/, replacement: 'gram', why: 'programme, kilogramme' },
    { pattern: /(judg|acknowledg|abridg|lodg)ement/, replacement: '$1ment', why: 'judgement' },
    { pattern: /ageing$/, replacement: 'aging', why: 'ageing, antiageing' },
    { pattern: /(def|off|pret)ence(?=$|less)/, replacement: '$1ense', why: 'defence' },
    { pattern: /licence/, replacement: 'license', why: 'licence, unlicenced' },
    { pattern: /practi[sz](?=[ei])/, replacement: 'practic', why: 'practise; the fold above made it practize' },
  ],
};

const L_SUFFIX = '(?=(?:ed|ing|er|or|able|ous|ity|ization)$|iz)';
const DOUBLED: SpellingFamily = {
  family: 'doubled consonants',
  needs: /ll|ss|tt|rol|fil|stil|stal|ilful/,
  rules: [
    {
      pattern: new RegExp(
        `(label|model|travel|cancel|channel|signal|tunnel|counsel|trial|parallel|tranquil|marvel|fuel|quarrel|pencil|unravel|stencil)l${L_SUFFIX}`,
      ),
      replacement: '$1',
      why: 'labelled, radiolabelled, tranquillizer',
    },
    {
      pattern: new RegExp(
        `^((?:re|de|un|mis|pre|out|multi|sub)?(?:level|total|dial|equal|rival|panel|initial|jewel|spiral|shovel|swivel|funnel|chisel|grovel|libel|vial|yodel|enamel|bevel|pedal|medal|towel|revel|duel|dishevel|shrivel))l${L_SUFFIX}`,
      ),
      replacement: '$1',
      why: 'totalled; short stems only from the beginning of a word',
    },
    { pattern: /^(re)?enrol(?=$|ment)/, replacement: '$1enroll', why: 'enrolment' },
    { pattern: /^fulfil(?=$|ment)/, replacement: 'fulfill', why: 'fulfil' },
    { pattern: /^(in|di)stil(?=$|ment)/, replacement: '$1still', why: 'instil, distil' },
    { pattern: /^instal(?=$|ment)/, replacement: 'install', why: 'instalment' },
    { pattern: /^(un)?skilful/, replacement: '$1skillful', why: 'skilful' },
    { pattern: /^wilful/, replacement: 'willful', why: 'wilful' },
    { pattern: /^(re|un)?focuss(?=[ei])/, replacement: '$1focus', why: 'focussed' },
    { pattern: /^(un)?biass(?=[ei])/, replacement: '$1bias', why: 'biassed' },
    { pattern: /^benefitt(?=[ei])/, replacement: 'benefit', why: 'benefitted' },
  ],
};

const LETTERS: SpellingFamily = {
  family: 'letters',
  needs:
    /sulph|leuc|neurone|^(?:artef|grey|scep|alumi|yog|font|enqu|adapt|depend|diet|mollusc)|disk|ntine$|rine$|ialit|hiccough/,
  rules: [
    { pattern: /sulph/, replacement: 'sulf', why: 'sulphate' },
    { pattern: /leuc(?=o|emi|apher)/, replacement: 'leuk', why: 'leucocyte, leucaemia, leucapheresis; not leucine' },
    { pattern: /neurone$/, replacement: 'neuron', why: 'neurone' },
    { pattern: /^artefact/, replacement: 'artifact', why: 'artefact' },
    { pattern: /^grey/, replacement: 'gray', why: 'grey' },
    { pattern: /^sceptic/, replacement: 'skeptic', why: 'sceptical' },
    { pattern: /^aluminium/, replacement: 'aluminum', why: 'aluminium' },
    { pattern: /^yog(?:h?ou|hu)rt/, replacement: 'yogurt', why: 'yoghurt, yoghourt' },
    { pattern: /dentine$/, replacement: 'dentin', why: 'dentine, predentine' },
    { pattern: /glycerine$/, replacement: 'glycerin', why: 'nitroglycerine' },
    { pattern: /^fontanelle/, replacement: 'fontanel', why: 'fontanelle' },
    { pattern: /^enquir(?=[eiy])/, replacement: 'inquir', why: 'enquiry' },
    { pattern: /specialit(?=y$)/, replacement: 'specialt', why: 'speciality, subspeciality' },
    { pattern: /^adaptor/, replacement: 'adapter', why: 'adaptor' },
    { pattern: /^dependant/, replacement: 'dependent', why: 'dependant' },
    { pattern: /^dietician/, replacement: 'dietitian', why: 'dietician' },
    { pattern: /^disk$|disk(?=ectom|ograph|itis)/, replacement: 'disc', why: 'disk, microdiskectomy' },
    { pattern: /hiccough/, replacement: 'hiccup', why: 'hiccough' },
    { pattern: /^mollusc/, replacement: 'mollusk', why: 'mollusc' },
  ],
};

/** In order of application: a family gets the result of the families before it. */
export const SPELLING_FAMILIES: readonly SpellingFamily[] = [
  AE_TO_E,
  OE_TO_E,
  OUR_TO_OR,
  RE_TO_ER,
  S_TO_Z,
  OGUE_TO_OG,
  ENDINGS,
  DOUBLED,
  LETTERS,
];

/** What no family needs is not in most words: they are their own key. */
const NEEDED = new RegExp(SPELLING_FAMILIES.map(({ needs }) => needs.source).join('|'));

/** Spelling key of a singular key: equal for the British and the American spelling of one word. */
export function spellFold(singular: string): string {
  if (!NEEDED.test(singular) || NOT_IZE.test(singular)) return singular;
  let key = singular;
  for (const { needs, rules } of SPELLING_FAMILIES) {
    if (!needs.test(key)) continue;
    for (const { pattern, replacement } of rules) key = key.replace(pattern, replacement);
  }
  return key;
}
