import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { Random } from '../../../tools/generator/random.ts';
import { makeWorld, proofIn } from '../../proof/worlds.ts';
import type { PageCases } from '../case.ts';
import { press } from '../keyboard.ts';

/** Drops a file on the page, as from a folder. */
async function drop(page: Page, text: string): Promise<void> {
  const data = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'proof.json', { type: 'application/json' }));
    return transfer;
  }, text);
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

/** A proof in a log that a key signs, and which the reader knows. */
function signedProof() {
  const random = new Random(3, 0, 0);
  for (let seed = 0; ; seed += 1) {
    const proof = proofIn(makeWorld(seed), random);
    if (proof.bundle.log !== null && proof.wanted.keys !== undefined) return proof;
  }
}

export const VERIFY_CASES: PageCases = {
  verify: {
    path: () => '/verify',
    act: async (page, { origin, trialId }) => {
      const text = await (await fetch(`${origin.url}/api/v1/trials/${trialId}/proof`)).text();
      const asked: string[] = [];
      page.on('request', (request) => void asked.push(request.url()));
      await page.context().setOffline(true);
      try {
        await drop(page, text);
        await page.getByText('CONSISTENT IN ITSELF, origin not proven', { exact: true }).waitFor();
        await page.getByText(`held the trial "${trialId}"`).waitFor();
        await page.getByText('unsigned: this notices accidents').waitFor();
        const pasted = page.getByLabel('Or its text');
        expect(await pasted.inputValue()).toBe(text);
        await pasted.fill(text.replace(/payload_sha256\\":\\"./, 'payload_sha256\\":\\"x'));
        await press(page, page.getByRole('button', { name: 'Check' }));
        await page.getByText('NOT PROVEN').waitFor();
        await page.getByText('check "rows" failed').waitFor();

        // A file of 16 MB is refused by its size alone, and none of it is shown.
        await drop(page, text.padEnd(16_777_216));
        await page.getByText('a file of a bundle has at most 262144 bytes').waitFor();
        expect(await pasted.inputValue()).toBe('');

        const { bundle, wanted } = signedProof();
        // The page has opened the fields for it, since the first proof lacked it.
        await page.getByLabel('Public keys that you trust').fill(wanted.keys!.join('\n'));
        const file = { name: 'proof.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(bundle)) };
        await page.getByLabel('The file').setInputFiles(file);
        await page.getByText('which you trust').waitFor();
        await page.getByText('PROVEN', { exact: true }).waitFor();
        // What the reader mistyped says nothing about the bundle.
        await page.getByLabel('The identity that the snapshot must have').fill('2c6da18');
        await page.getByRole('button', { name: 'Check' }).click();
        await page.getByText('Nothing was checked.', { exact: true }).waitFor();
        expect(await page.getByText('NOT PROVEN').count()).toBe(0);
      } finally {
        await page.context().setOffline(false);
      }
      expect(asked).toEqual([]);
    },
  },
};
