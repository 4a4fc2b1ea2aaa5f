-- How many publications do records list, and for how many is a PubMed id or a DOI known?
SELECT registry, kind, count(*) AS publications, count(pmid) AS with_pmid, count(doi) AS with_doi
FROM publications
GROUP BY ALL
ORDER BY registry, publications DESC, kind;
