/**
 * Questions that ask what somebody should take or how to be treated. They find trials like any other words, so that the answer has
 * to say that it is none to the question.
 */
const ASKS: readonly RegExp[] = [
  // "should I take", "can my mother stop", "is it safe for me"
  /\b(?:should|can|may|could|must|shall) (?:i|we|he|she|they|you|one|my|our|a patient|patients|someone)\b.*\b(?:take|taking|use|using|try|stop|start|switch|have|get|give|given|eat|avoid|combine|mix|inject|dose)\b/i,
  /\b(?:safe|dangerous|ok|okay|good|right|best|bad) for (?:me|my|him|her|us)\b/i,
  // "what dose of metformin", "how much insulin do I need", "how many mg"
  /\b(?:what|which|whats|what's)(?: is| are)?(?: the| a)?(?: (?:right|best|correct|recommended|usual|maximum|safe|starting|daily|normal|ideal))* (?:dose|doses|dosage|dosing)\b/i,
  /\bhow (?:much|many|often)\b.*\b(?:take|taking|mg|mcg|ml|units|tablets?|pills?|doses?|inject|need|give)\b/i,
  /\b(?:right|best|correct|recommended|safe|starting|maximum) (?:dose|dosage)\b/i,
  // "how do I treat", "what is the best treatment for my", "what should I do about"
  /\bhow (?:do|can|should|could|to) (?:i |we |you )?(?:treat|cure|heal|dose|get rid of)\b/i,
  /\b(?:what|which)(?: is| are|'s)?(?: the)? (?:best|right|safest|most effective|recommended) (?:treatments?|drugs?|medicines?|medications?|therapy|therapies|cures?)\b/i,
  /\b(?:treat|cure|heal|treatments? for|medicine for|drugs? for|cure for) (?:me|my|him|her)\b/i,
];

export const NO_CLINICAL_ADVICE =
  'This is no clinical advice: registry records say what was studied, not which dose or treatment anybody should take. Ask a physician or a pharmacist.';

/** Longer texts are no question. */
const READ_CHARACTERS = 400;

/** Whether a text asks for a dose or a treatment rather than for trials of it. */
export function asksForAdvice(text: string): boolean {
  const read = text.slice(0, READ_CHARACTERS).replaceAll(/\s+/g, ' ');
  return ASKS.some((pattern) => pattern.test(read));
}
