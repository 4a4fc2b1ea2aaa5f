import { expect, it } from 'vitest';
import { roundedNumbers } from './rounded.ts';

it('computed numbers keep six significant digits, however large or small; whole numbers and texts stay', () => {
  const whole = {
    week: 39,
    n: 1234567,
    fit: [0.123456789, 1234.56789, 0.0000123456789],
    sign: -0.5,
    id: '0.123456789',
  };
  expect(roundedNumbers({ arms: [whole], none: null, ok: true })).toEqual({
    value: {
      arms: [{ week: 39, n: 1234567, fit: [0.123457, 1234.57, 0.0000123457], sign: -0.5, id: '0.123456789' }],
      none: null,
      ok: true,
    },
    rounded: true,
  });
  expect(roundedNumbers({ share: 0.5 })).toEqual({ value: { share: 0.5 }, rounded: false });
});
