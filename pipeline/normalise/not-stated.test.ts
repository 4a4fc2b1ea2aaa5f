import { expect, test } from 'vitest';
import { listOf } from '../../test/builders/pairs.ts';
import { normaliseIsrctn } from './isrctn/isrctn.ts';
import { isFiller, statedTitle, withoutFiller } from './not-stated.ts';

test.each(
  listOf(`
    N/A | Not Specified | nil known. | Nil KNown | Nil know | No available | -
    Not provided at time  of registration | Not in the export | [Redacted] | (withheld) | [ N/A ]
    Not Disclosed | [Sponsor name withheld] | XXXX | To be confirmed.
  `),
)('%s fills a field and says nothing', (text) => {
  expect([isFiller(text), withoutFiller(text)]).toEqual([true, null]);
});

test.each(
  listOf(`
    Nilotinib | Not blinded | No treatment | Export of goods | Not in the export market | [Aspirin]
    Withheld insulin
  `),
)('%s says something', (text) => expect([isFiller(text), withoutFiller(text)]).toEqual([false, text]));

test('a title that says only which record it is states nothing', () => {
  const stated = (title: string | null): string | null => statedTitle(title, '12345679');
  expect(['Export record 12345679', 'ISRCTN12345679', 'isrctn12345679', '12345679', 'N/A', null].map(stated)).toEqual(
    Array(6).fill(null),
  );
  expect(['Export record 12345678', 'Walking', 'Export record'].map(stated)).toEqual([
    'Export record 12345678',
    'Walking',
    'Export record',
  ]);
});

function read(description: string, rest = '') {
  const xml = `<trial><isrctn>12345679</isrctn><trialDescription>${description}</trialDescription>${rest}</trial>`;
  return normaliseIsrctn(Buffer.from(xml), '2026-11-20T03:00:00Z', { asOf: '2026-11-21' });
}

test('the other title stands for one that says nothing, and a record without any is refused as ever', () => {
  expect(read('<title>N/A</title><scientificTitle>Walking</scientificTitle>')).toMatchObject({
    registration: { title: 'Walking', officialTitle: 'Walking' },
  });
  expect(
    read('<title>Walking</title><scientificTitle>Not provided at time of registration</scientificTitle>'),
  ).toMatchObject({ registration: { title: 'Walking', officialTitle: null } });
  expect(read('<acronym>X</acronym>')).toMatchObject({ ok: false, reason: 'missing-title' });
});

test('No is an answer to whether data will be shared, another filler is none', () => {
  const planOf = (plan: string) =>
    read('<title>Walking</title>', `<miscellaneous><ipdSharingPlan>${plan}</ipdSharingPlan></miscellaneous>`);
  expect(planOf('No')).toMatchObject({ registration: { ipdSharingPlan: 'no' } });
  expect(planOf('Not provided at time of registration')).toMatchObject({ registration: { ipdSharingPlan: null } });
});
