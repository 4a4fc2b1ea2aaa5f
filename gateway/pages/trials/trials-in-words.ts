import { count } from '../kit/words.ts';

export function trialsInWords(number: number): string {
  return number === 1 ? '1 trial' : `${count(number)} trials`;
}
