/** Conditions of the sample: common disease names, most frequent first; American spelling, see spelling.ts for British. */
export interface Condition {
  name: string;
  /** ISRCTN diseaseClass1. */
  diseaseClass: string;
}

/** Everyday leading conditions, so that the skew falls on names that a reader expects. */
const LEADING: readonly (readonly [string, string])[] = [
  ['Breast Cancer', 'Cancer'],
  ['Type 2 Diabetes', 'Nutritional, Metabolic, Endocrine'],
  ['Heart Failure', 'Circulatory System'],
  ['Obesity', 'Nutritional, Metabolic, Endocrine'],
  ['Stroke', 'Circulatory System'],
  ['Depression', 'Mental and Behavioural Disorders'],
  ['Hypertension', 'Circulatory System'],
  ['Asthma', 'Respiratory'],
  ['Leukemia', 'Cancer'],
  ['Prostate Cancer', 'Cancer'],
  ['Type 1 Diabetes', 'Nutritional, Metabolic, Endocrine'],
  ['Alzheimer Disease', 'Nervous System Diseases'],
  ['Major Depressive Disorder', 'Mental and Behavioural Disorders'],
  ['COVID-19', 'Infections and Infestations'],
  ['Pain', 'Signs and Symptoms'],
  ["Crohn's Disease", 'Digestive System'],
  ['Ulcerative Colitis', 'Digestive System'],
  ['Inflammatory Bowel Disease', 'Digestive System'],
  ['Systemic Lupus Erythematosus', 'Musculoskeletal Diseases'],
  ['Cystic Fibrosis', 'Respiratory'],
  ['Hemophilia A', 'Haematological Disorders'],
  ['Hepatitis B', 'Infections and Infestations'],
  ['IgA Nephropathy', 'Urological and Genital Diseases'],
  ['Inherited Retinal Disease', 'Eye Diseases'],
  ['Aging', 'Not Applicable'],
  ['Epidermolysis Bullosa', 'Skin and Connective Tissue Diseases'],
];

/** Families in the registry's disease classes; names separated by "; ". */
const FAMILIES: readonly (readonly [string, string])[] = [
  [
    'Circulatory System',
    'Atrial Fibrillation; Coronary Artery Disease; Myocardial Infarction; Pulmonary Arterial Hypertension; Peripheral Artery Disease; Aortic Stenosis; Cardiomyopathy; Deep Vein Thrombosis; Pulmonary Embolism; Heart Failure With Preserved Ejection Fraction; Heart Failure With Reduced Ejection Fraction; Acute Coronary Syndrome; Ischemic Stroke; Intracerebral Hemorrhage; Subarachnoid Hemorrhage; Varicose Veins; Cardiac Arrest; Ventricular Tachycardia; Myocarditis; Hypotension; Atherosclerosis; Abdominal Aortic Aneurysm; Congenital Heart Disease; Orthostatic Hypotension; Endocarditis',
  ],
  [
    'Nutritional, Metabolic, Endocrine',
    'Gestational Diabetes; Diabetic Foot Ulcer; Diabetic Nephropathy; Hypercholesterolemia; Metabolic Syndrome; Hypothyroidism; Graves Disease; Osteoporosis; Vitamin D Deficiency; Iron Deficiency; Malnutrition; Acromegaly; Cushing Syndrome; Phenylketonuria; Gaucher Disease; Fabry Disease; Pompe Disease; Hypoglycemia; Diabetic Ketoacidosis; Prediabetes; Hyperkalemia; Gout; Polycystic Ovary Syndrome; Growth Hormone Deficiency; Hyperglycemia; Dyslipidemia',
  ],
  [
    'Respiratory',
    'Chronic Obstructive Pulmonary Disease; Idiopathic Pulmonary Fibrosis; Bronchiectasis; Obstructive Sleep Apnea; Acute Respiratory Distress Syndrome; Bronchopulmonary Dysplasia; Allergic Rhinitis; Chronic Cough; Chronic Rhinosinusitis With Nasal Polyps; Sarcoidosis; Respiratory Failure; Bronchiolitis; Pleural Effusion; Community-Acquired Pneumonia',
  ],
  [
    'Mental and Behavioural Disorders',
    'Schizophrenia; Bipolar Disorder; Generalized Anxiety Disorder; Post-Traumatic Stress Disorder; Obsessive-Compulsive Disorder; Attention Deficit Hyperactivity Disorder; Autism Spectrum Disorder; Anorexia Nervosa; Alcohol Use Disorder; Opioid Use Disorder; Insomnia; Smoking Cessation; Postpartum Depression; Borderline Personality Disorder; Social Anxiety; Panic Disorder; Self-Harm; Gambling Disorder; Binge Eating Disorder; Delirium; Burnout',
  ],
  [
    'Nervous System Diseases',
    'Parkinson Disease; Multiple Sclerosis; Epilepsy; Migraine; Amyotrophic Lateral Sclerosis; Huntington Disease; Spinal Muscular Atrophy; Duchenne Muscular Dystrophy; Myasthenia Gravis; Traumatic Brain Injury; Spinal Cord Injury; Cerebral Palsy; Neuropathic Pain; Restless Legs Syndrome; Essential Tremor; Dementia; Mild Cognitive Impairment; Guillain-Barré Syndrome; Narcolepsy; Trigeminal Neuralgia; Peripheral Neuropathy; Rett Syndrome; Fragile X Syndrome; Concussion; Cluster Headache; Dystonia',
  ],
  [
    'Infections and Infestations',
    'HIV Infections; Malaria; Tuberculosis; Hepatitis C; Influenza; Sepsis; Pneumonia; Urinary Tract Infection; Respiratory Syncytial Virus Infection; Dengue; Cholera; Typhoid; Human Papillomavirus Infection; Herpes Zoster; Clostridioides Difficile Infection; Schistosomiasis; Scabies; Leprosy; Measles; Ebola Virus Disease; Chikungunya; Visceral Leishmaniasis; Meningitis; Cytomegalovirus Infection; Helicobacter Pylori Infection; Trachoma; Syphilis; Long COVID; Candidiasis; Mpox',
  ],
  [
    'Digestive System',
    'Irritable Bowel Syndrome; Gastroesophageal Reflux Disease; Cirrhosis; Nonalcoholic Steatohepatitis; Celiac Disease; Acute Pancreatitis; Chronic Constipation; Diarrhea; Hepatic Encephalopathy; Eosinophilic Esophagitis; Primary Biliary Cholangitis; Gallstones; Hemorrhoids; Inguinal Hernia; Appendicitis; Upper Gastrointestinal Bleeding; Diverticulitis; Barrett Esophagus; Dyspepsia; Gastroparesis; Anal Fissure; Short Bowel Syndrome',
  ],
  [
    'Musculoskeletal Diseases',
    'Knee Osteoarthritis; Hip Osteoarthritis; Rheumatoid Arthritis; Low Back Pain; Psoriatic Arthritis; Ankylosing Spondylitis; Fibromyalgia; Rotator Cuff Tears; Carpal Tunnel Syndrome; Hip Fracture; Distal Radius Fracture; Sarcopenia; Plantar Fasciitis; Scoliosis; Juvenile Idiopathic Arthritis; Tennis Elbow; Anterior Cruciate Ligament Injury; Osteogenesis Imperfecta; Neck Pain; Temporomandibular Disorder; Giant Cell Arteritis; Polymyalgia Rheumatica; Frozen Shoulder; Systemic Sclerosis; Sjögren Syndrome',
  ],
  [
    'Skin and Connective Tissue Diseases',
    'Psoriasis; Atopic Dermatitis; Acne Vulgaris; Alopecia Areata; Hidradenitis Suppurativa; Vitiligo; Chronic Urticaria; Pressure Ulcer; Venous Leg Ulcer; Burns; Rosacea; Melasma; Onychomycosis; Actinic Keratosis; Bullous Pemphigoid; Hyperhidrosis; Wound Infection; Pemphigus Vulgaris; Keloid; Cellulitis',
  ],
  [
    'Urological and Genital Diseases',
    'Chronic Kidney Disease; End Stage Renal Disease; Acute Kidney Injury; Overactive Bladder; Urinary Incontinence; Benign Prostatic Hyperplasia; Erectile Dysfunction; Kidney Stones; Lupus Nephritis; Polycystic Kidney Disease; Nephrotic Syndrome; Focal Segmental Glomerulosclerosis; Endometriosis; Pelvic Organ Prolapse; Bacterial Vaginosis; Male Infertility; Membranous Nephropathy; Uterine Fibroids; Heavy Menstrual Bleeding; Interstitial Cystitis',
  ],
  [
    'Pregnancy and Childbirth',
    'Preeclampsia; Preterm Birth; Postpartum Hemorrhage; Infertility; Fetal Growth Restriction; Cesarean Section Complications; Labor Pain; Miscarriage; Hyperemesis Gravidarum; Breastfeeding; Ectopic Pregnancy; Contraception; Anemia in Pregnancy; Premature Rupture of Membranes; Induction of Labor',
  ],
  [
    'Neonatal Diseases',
    'Neonatal Sepsis; Retinopathy of Prematurity; Neonatal Jaundice; Hypoxic-Ischemic Encephalopathy; Necrotizing Enterocolitis; Patent Ductus Arteriosus; Respiratory Distress Syndrome, Newborn; Low Birth Weight; Apnea of Prematurity',
  ],
  [
    'Haematological Disorders',
    'Sickle Cell Disease; Hemophilia B; Beta-Thalassemia; Iron Deficiency Anemia; Immune Thrombocytopenia; Aplastic Anemia; Von Willebrand Disease; Paroxysmal Nocturnal Hemoglobinuria; Neutropenia; Graft Versus Host Disease; Venous Thromboembolism; Hemochromatosis; Myelodysplastic Syndromes; Anemia',
  ],
  [
    'Eye Diseases',
    'Age-Related Macular Degeneration; Glaucoma; Diabetic Macular Edema; Cataract; Dry Eye Disease; Myopia; Amblyopia; Retinitis Pigmentosa; Leber Congenital Amaurosis; Stargardt Disease; Uveitis; Keratoconus; Choroideremia; Retinal Detachment; Ocular Hypertension; Blepharitis; Optic Neuritis',
  ],
  [
    'Ear, Nose and Throat',
    'Otitis Media; Tinnitus; Hearing Loss; Tonsillitis; Ménière Disease; Sinusitis; Vertigo; Epistaxis; Dysphagia',
  ],
  [
    'Oral Health',
    'Dental Caries; Periodontitis; Gingivitis; Tooth Loss; Dental Anxiety; Oral Mucositis; Malocclusion; Dentin Hypersensitivity; Peri-Implantitis; Third Molar Extraction',
  ],
  [
    'Surgery',
    'Postoperative Pain; Postoperative Nausea and Vomiting; Surgical Site Infection; Anesthesia; Liver Transplantation; Kidney Transplant Rejection; Bariatric Surgery; Emergence Delirium; Blood Loss, Surgical; Perioperative Hypothermia; Ileus',
  ],
  [
    'Injury, Occupational Diseases, Poisoning',
    'Trauma; Hemorrhagic Shock; Falls; Snake Bites; Poisoning; Tibial Fracture; Rib Fractures; Ankle Sprain; Hamstring Injury; Repetitive Strain Injury',
  ],
];

/** Malignancies are written per site and then per setting, as registries do. */
const CANCERS =
  'Non-Small Cell Lung Cancer; Small Cell Lung Cancer; Colorectal Cancer; Pancreatic Cancer; Ovarian Cancer; Multiple Myeloma; Melanoma; Hepatocellular Carcinoma; Gastric Cancer; Bladder Cancer; Head and Neck Cancer; Acute Myeloid Leukemia; Acute Lymphoblastic Leukemia; Chronic Lymphocytic Leukemia; Chronic Myeloid Leukemia; Diffuse Large B-Cell Lymphoma; Hodgkin Lymphoma; Follicular Lymphoma; Glioblastoma; Renal Cell Carcinoma; Esophageal Cancer; Cervical Cancer; Endometrial Cancer; Neuroblastoma; Osteosarcoma; Thyroid Cancer; Mesothelioma; Cholangiocarcinoma; Neuroendocrine Tumors; Brain Metastases'.split(
    '; ',
  );
const CANCER_SETTINGS = ['Metastatic', 'Recurrent', 'Stage IV'] as const;

function build(): Condition[] {
  const leading = LEADING.map(([name, diseaseClass]) => ({ name, diseaseClass }));
  const families = FAMILIES.map(([diseaseClass, names]) => names.split('; ').map((name) => ({ name, diseaseClass })));
  families.push(CANCERS.map((name) => ({ name, diseaseClass: 'Cancer' })));
  const settings = CANCER_SETTINGS.flatMap((setting) =>
    CANCERS.slice(0, 12).map((name) => ({ name: `${setting} ${name}`, diseaseClass: 'Cancer' })),
  );
  const interleaved: Condition[] = [];
  const longest = Math.max(...families.map((family) => family.length));
  for (let place = 0; place < longest; place++) {
    for (const family of families) {
      const condition = family[place];
      if (condition) interleaved.push(condition);
    }
  }
  return [...leading, ...interleaved, ...settings];
}

/** All conditions of the sample, most frequent first; families are interleaved so that no class holds the whole tail. */
export const CONDITIONS: readonly Condition[] = build();
