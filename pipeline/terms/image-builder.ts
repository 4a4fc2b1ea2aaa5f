import type { BuildServingImage } from '../publish/commit.ts';
import { buildServingImage } from '../publish/serving/build-serving-image.ts';
import { termsInUse } from './terms-in-use.ts';

/** Builds serving images with the terminology that is in use. */
export async function imageBuilder(dataDir: string): Promise<BuildServingImage> {
  const { packed } = await termsInUse(dataDir);
  return (inputs, effects) => buildServingImage({ ...inputs, terminology: packed }, effects);
}
