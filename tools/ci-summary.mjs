import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Prints the failed tests of all JSON reports in the folder that the command names, then one line with their counts: where a
 * reader gets only the end of the log of `.ci/run`, it must say what failed.
 */

const LONGEST_MESSAGE = 1_000;

const folder = process.argv[2];
const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));

for (const { name, message, assertionResults } of reports.flatMap((report) => report.testResults)) {
  const file = relative(process.cwd(), name);
  // A file that failed before its first test has a message of its own.
  if (message) console.log(`FAILED ${file}\n${message.slice(0, LONGEST_MESSAGE)}`);
  for (const { status, fullName, failureMessages } of assertionResults) {
    if (status !== 'failed') continue;
    console.log(`FAILED ${file} > ${fullName}\n${failureMessages.join('\n').slice(0, LONGEST_MESSAGE)}`);
  }
}

const sum = (field) => reports.reduce((total, report) => total + report[field], 0);
const skipped = sum('numPendingTests');
const counts = `${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed`;
console.log(skipped > 0 ? `${counts}, ${skipped} skipped` : counts);
