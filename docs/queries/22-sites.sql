-- Where are the sites of each trial, one row each? With CREATE TABLE sites AS before it, it is a table of your own.
SELECT canonical_id, registry, registration_id, site.facility, site.city, site.state, site.country, site.status,
  site.latitude, site.longitude
FROM (SELECT registry, id AS registration_id, unnest(sites) AS site FROM registrations WHERE superseded_by IS NULL)
JOIN (SELECT canonical_id, unnest([ctgov_id, isrctn_id]) AS registration_id FROM trials) USING (registration_id)
ORDER BY canonical_id, registration_id, site.country, site.city, site.facility;
