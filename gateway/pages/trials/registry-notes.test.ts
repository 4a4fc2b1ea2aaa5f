import { describe, expect, it } from 'vitest';
import { isFromDates, noteInWords, unreadableDate, unstated } from './registry-notes.ts';

describe('a note about a field', () => {
  it('names no field of a registry', () => {
    expect(
      noteInWords("derived from overallEndDate 2028-04-30, recruitmentStart 2025-11-17 as of the snapshot's day"),
    ).toBe("worked out from end of the trial 2028-04-30, start of recruitment 2025-11-17 as of the snapshot's day");
    expect(noteInWords('recruitmentStartStatusOverride Recruiting')).toBe(
      'start of recruitment as set by the registry Recruiting',
    );
    expect(noteInWords('hasResults false')).toBe('the registry says that it has none');
    expect(noteInWords('overallStatus UNKNOWN; lastKnownStatus RECRUITING')).toBe(
      'the status as the registry states it UNKNOWN; last known status RECRUITING',
    );
  });

  it('is left out where fields are simply blank, and says else why there is no number', () => {
    expect(unstated('totalFinalEnrolment is blank; targetEnrolment is blank')).toBeNull();
    expect(unstated('enrollmentInfo.count is blank')).toBeNull();
    expect(unstated('totalFinalEnrolment 0 means not known; targetEnrolment is blank')).toBe(
      'number of people who took part 0 means not known; number of people planned is blank',
    );
    expect(unstated(null)).toBeNull();
  });

  it('has the field and the text of a date that cannot be read', () => {
    expect(unreadableDate('startDate unreadable: 2019-13')).toEqual({ field: 'Started', text: '2019-13' });
    expect(unreadableDate('recruitmentEnd unreadable: May: 2019')).toEqual({
      field: 'end of recruitment',
      text: 'May: 2019',
    });
    expect(unreadableDate('document date unreadable: ?').text).toBe('document date unreadable: ?');
  });

  it('tells a status that follows from dates from one that a registry states', () => {
    expect(isFromDates("derived from overallEndDate 2028-04-30 as of the snapshot's day")).toBe(true);
    expect(isFromDates('overallStatus')).toBe(false);
    expect(isFromDates(null)).toBe(false);
  });
});
