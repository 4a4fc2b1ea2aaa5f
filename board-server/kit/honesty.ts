import { STANDING_HONESTY } from '../../contract/standing-honesty.ts';

/** Sentences of `_meta.honesty` that several surfaces of the board give. */
export const AGENT_TEXT_HONESTY = STANDING_HONESTY.agentText;
export const CLAIM_HONESTY = STANDING_HONESTY.claims;
export const FEED_HONESTY = STANDING_HONESTY.feed;
