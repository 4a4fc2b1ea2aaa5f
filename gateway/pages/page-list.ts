import { aboutPage, glossaryPage } from './about/about-page.ts';
import { statusPage } from './about/status-page.ts';
import { betaCellPage } from './beta-cell/beta-cell-page.ts';
import { agentPage } from './board/agent-page.ts';
import { amendmentPage } from './board/amendment-page.ts';
import { boardPage } from './board/board-page.ts';
import { calibrationPage, predictionPage } from './board/calibration.ts';
import { claimPage } from './board/claim-page.ts';
import { councilPage } from './board/council-page.ts';
import { cureLabPage, labDiseasePage } from './board/cure-lab.ts';
import { deadEndPage, deadEndsPage } from './board/dead-ends.ts';
import { evidenceListPage, evidencePage } from './board/evidence.ts';
import { findingPage } from './board/finding-page.ts';
import { contradictionsPage, hypothesesPage, hypothesisPage } from './board/hypotheses.ts';
import { ladderPage, laddersPage, rungPage, rungsPage } from './board/ladders.ts';
import { claimsPage, findingsPage, messagesPage } from './board/lists.ts';
import { methodPage, methodsPage } from './board/methods.ts';
import { realityListPage, realityPage } from './board/reality.ts';
import { receiptPage, verificationPage } from './board/receipts.ts';
import { scoreboardPage } from './board/scoreboard.ts';
import { threadPage } from './board/thread-page.ts';
import { dictionaryPage } from './dictionary/dictionary-page.ts';
import { docsAreaPage, docsPage } from './docs/docs-page.ts';
import { errorPage, errorsPage } from './errors/error-page.ts';
import { homePage } from './home/home-page.ts';
import { modelsPage } from './models/models-page.ts';
import type { Page } from './page.ts';
import { patientModelPage } from './patient-model/patient-model-page.ts';
import { resultsGapPage } from './results-gap/results-gap-page.ts';
import { researchPage } from './signals/research-page.ts';
import { signalsPage } from './signals/signals-page.ts';
import { diffPage } from './snapshots/diff-page.ts';
import { logPage } from './snapshots/log-page.ts';
import { runPage, runsPage } from './snapshots/runs.ts';
import { snapshotPage } from './snapshots/snapshot-page.ts';
import { snapshotsPage } from './snapshots/snapshots-page.ts';
import { conditionPage } from './subjects/condition-page.ts';
import { countryPage } from './subjects/country-page.ts';
import { conditionsPage, countriesPage, sponsorsPage } from './subjects/index-pages.ts';
import { sponsorPage } from './subjects/sponsor-page.ts';
import { comparisonPage } from './trials/comparison-page.ts';
import { facetPage } from './trials/facet-page.ts';
import { trialsPage } from './trials/search-page.ts';
import { trialPage } from './trials/trial-page.ts';
import { verifyPage } from './verify/verify-page.ts';

/** Every page; a test compares the list with the contract. */
export const PAGE_LIST: readonly Page[] = [
  homePage,
  trialsPage,
  facetPage,
  trialPage,
  comparisonPage,
  sponsorsPage,
  sponsorPage,
  conditionsPage,
  conditionPage,
  countriesPage,
  countryPage,
  aboutPage,
  glossaryPage,
  docsPage,
  docsAreaPage,
  errorsPage,
  errorPage,
  signalsPage,
  researchPage,
  boardPage,
  claimsPage,
  claimPage,
  messagesPage,
  threadPage,
  agentPage,
  findingsPage,
  findingPage,
  verificationPage,
  receiptPage,
  realityListPage,
  realityPage,
  calibrationPage,
  predictionPage,
  deadEndsPage,
  deadEndPage,
  laddersPage,
  ladderPage,
  rungsPage,
  rungPage,
  methodsPage,
  methodPage,
  cureLabPage,
  evidenceListPage,
  evidencePage,
  contradictionsPage,
  hypothesesPage,
  hypothesisPage,
  labDiseasePage,
  scoreboardPage,
  statusPage,
  resultsGapPage,
  councilPage,
  amendmentPage,
  modelsPage,
  betaCellPage,
  patientModelPage,
  snapshotsPage,
  diffPage,
  logPage,
  runsPage,
  runPage,
  snapshotPage,
  dictionaryPage,
  verifyPage,
];
