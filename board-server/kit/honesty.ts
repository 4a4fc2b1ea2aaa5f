/** Sentences of `_meta.honesty` that several surfaces of the board give. */
export { AGENT_TEXT_HONESTY, CLAIM_HONESTY, FEED_HONESTY } from '../../contract/standing-honesty.ts';
