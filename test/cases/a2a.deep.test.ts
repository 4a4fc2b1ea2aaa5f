import { A2A_DOOR } from './doors/a2a.ts';
import { holdCases } from './hold-cases.ts';

holdCases(A2A_DOOR, {
  'an unknown argument is dropped and named': 'it is refused, with the names that are near',
});
