import type { H3Event } from 'h3';
import { PerRequest } from '../limits/per-request.ts';

const sizes = new PerRequest<number>();

/** Remembers how many bytes were made for an answer, before compression. Streams are paced by their reader instead. */
export function noteAnswerSize(event: H3Event, bytes: number): void {
  sizes.set(event, bytes);
}

/** Bytes made for the answer; 0 for a stream and for an answer without a body. */
export function answerSizeOf(event: H3Event): number {
  return sizes.get(event) ?? 0;
}
