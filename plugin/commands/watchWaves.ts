import { waveLines } from '../views/waveLines.ts';
import { wavesPage } from '../views/wavesPage.ts';
import type { Invocation } from './command.ts';
import { watchReleases } from './watchReleases.ts';

/** `waves status --watch`: the tables of waves, with the time that is left. */
export async function watchWaves(invocation: Invocation): Promise<number> {
  const { headers, output } = invocation.flags;
  return await watchReleases(invocation, {
    frame: (releases, followed, page) =>
      wavesPage(releases, (release) => followed.inventoryOf(release), {
        ...page,
        ...{ headers, wide: output === 'wide' },
      }),
    lines: (releases, followed, now) => waveLines(releases, (release) => followed.inventoryOf(release), now),
  });
}
