import { describe, expect, it } from 'vitest';
import { PubmedXmlError, parsePubmedXml } from './pubmed-xml.ts';

const article = (inner: string): string =>
  `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">7</PMID>${inner}</MedlineCitation></PubmedArticle></PubmedArticleSet>`;

describe('an article of PubMed', () => {
  it('keeps the words of a title whose print is marked, and decodes what XML itself names', () => {
    const [paper] = parsePubmedXml(
      article(
        '<Article><ArticleTitle>H<sub>2</sub>O &amp; <i>in vivo</i> &#945; &#x3b2; &foo;</ArticleTitle></Article>',
      ),
    ).papers;
    expect(paper!.title).toBe('H2O & in vivo α β &foo;');
  });

  it('is searched in every part of its abstract, in other abstracts and in keywords', () => {
    const [paper] = parsePubmedXml(
      article(
        '<Article><Abstract><AbstractText Label="A">one</AbstractText><AbstractText>two</AbstractText></Abstract></Article>' +
          '<OtherAbstract><AbstractText>three</AbstractText></OtherAbstract>' +
          '<KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">four</Keyword></KeywordList>',
      ),
    ).papers;
    expect(paper!.text).toBe('one\ntwo\nthree\nfour');
  });

  it('has every accession with the name of its databank, also of a wrong one', () => {
    const bank = (name: string, id: string): string =>
      `<DataBank><DataBankName>${name}</DataBankName><AccessionNumberList><AccessionNumber>${id}</AccessionNumber></AccessionNumberList></DataBank>`;
    const [paper] = parsePubmedXml(
      article(
        `<Article><DataBankList>${bank('GENBANK', 'NCT01234567')}${bank('ISRCTN', '12345678')}</DataBankList></Article>`,
      ),
    ).papers;
    expect(paper!.accessions).toEqual(['GENBANK NCT01234567', 'ISRCTN 12345678']);
  });

  it('has the year of a date that is only described, and is retracted where a notice says so', () => {
    const [paper] = parsePubmedXml(
      article(
        '<Article><Journal><JournalIssue><PubDate><MedlineDate>1998 Dec-1999 Jan</MedlineDate></PubDate></JournalIssue></Journal></Article>' +
          '<CommentsCorrectionsList><CommentsCorrections RefType="RetractionIn"><PMID>8</PMID></CommentsCorrections></CommentsCorrectionsList>',
      ),
    ).papers;
    expect([paper!.year, paper!.retracted]).toEqual([1998, true]);
  });

  it.each([
    '',
    'not xml',
    '<PubmedArticleSet>',
    '<PubmedArticleSet><PubmedArticle></PubmedArticle></PubmedArticleSet>',
    '<!DOCTYPE PubmedArticleSet SYSTEM "file:///etc/passwd"><PubmedArticleSet/>',
    '<!DOCTYPE a [<!ENTITY x "y">]><PubmedArticleSet/>',
    article('<Article><__proto__><polluted>1</polluted></__proto__>'),
  ])('is refused where it is not one: %s', (xml) => {
    expect(() => parsePubmedXml(xml)).toThrow(PubmedXmlError);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
