import { describe, expect, it } from 'vitest';
import { countedBy, type ListedSite, matchingSites, type SiteFilters, sitesOfTrial } from './trial-sites.ts';

const site = (facility: string | null, city: string, country: string | null, status: string | null): ListedSite => ({
  ...{ registry: 'clinicaltrials_gov', registration: 'NCT90000001', facility, city, state: null, country, status },
  ...{ latitude: null, longitude: null },
});

const SITES: readonly ListedSite[] = [
  site("St. George's Hospital", 'London', 'United Kingdom', 'recruiting'),
  site('Oxford Clinical Research Unit', 'Ho Chi Minh City', 'Vietnam', 'completed'),
  { ...site('Sahlgrenska', 'Göteborg', 'Sweden', 'recruiting'), state: 'Västra Götaland' },
  { ...site(null, 'Oxford', 'United Kingdom', null), registry: 'isrctn', registration: 'ISRCTN90000001' },
  site('Clinic', 'London', null, 'withdrawn'),
];

describe('sites of a trial', () => {
  it.each<[SiteFilters, number[]]>([
    [{}, [0, 1, 2, 3, 4]],
    [{ country: 'gb' }, [0, 3]],
    [{ country: 'Viet Nam' }, [1]],
    // A place is a whole name, as sitePlace of the search reads it; a facility is read by its words.
    [{ place: 'oxford' }, [3]],
    [{ place: 'GOTEBORG' }, [2]],
    [{ place: 'Vastra Gotaland' }, [2]],
    [{ place: 'Lond' }, []],
    [{ facility: 'hospitals george' }, [0]],
    [{ facility: 'oxford' }, [1]],
    [{ status: ['recruiting', 'withdrawn'] }, [0, 2, 4]],
    [{ status: ['unknown'] }, [3]],
    [{ status: ['recruiting'], country: 'Sweden', place: 'Göteborg' }, [2]],
  ])('%j finds the sites %j', (filters, places) => {
    expect(matchingSites(SITES, filters)).toEqual(places.map((place) => SITES[place]));
  });

  it('are counted by country and status, most first, and one that states none is counted as null', () => {
    expect(countedBy(SITES, 'country')).toEqual([
      { country: 'United Kingdom', sites: 2 },
      { country: 'Vietnam', sites: 1 },
      { country: 'Sweden', sites: 1 },
      { country: null, sites: 1 },
    ]);
    expect(countedBy(SITES, 'status').map(({ status, sites }) => [status, sites])).toEqual([
      ['recruiting', 2],
      ['completed', 1],
      [null, 1],
      ['withdrawn', 1],
    ]);
  });

  it('name the registration that lists them, and a place that both list stands twice', () => {
    const { registry: _r, registration: _i, ...own } = SITES[0]!;
    const registrations = [
      { registry: 'clinicaltrials_gov', id: 'NCT90000001', fields: { sites: [own] } },
      { registry: 'isrctn', id: 'ISRCTN90000001', fields: { sites: [own] } },
    ] as unknown as Parameters<typeof sitesOfTrial>[0]['registrations'];
    expect(sitesOfTrial({ registrations }).map(({ registration }) => registration)).toEqual([
      'NCT90000001',
      'ISRCTN90000001',
    ]);
  });
});
