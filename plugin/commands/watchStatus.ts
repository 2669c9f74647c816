import { releasePage } from '../views/releasePage.ts';
import { rolloutTold, waitsFor } from '../views/syncPage.ts';
import { waveLines } from '../views/waveLines.ts';
import type { Invocation } from './command.ts';
import { watchReleases } from './watchReleases.ts';

/** `release status NAME --watch`: the page, as it changes. */
export async function watchStatus(invocation: Invocation): Promise<number> {
  const { output } = invocation.flags;
  return await watchReleases(invocation, {
    frame: (releases, followed, page) =>
      releases.flatMap((release) =>
        releasePage(release, {
          ...page,
          ...{ inventory: followed.inventoryOf(release), wide: output === 'wide' },
        }),
      ),
    lines: (releases, followed, now) =>
      new Map([
        ...waveLines(releases, (release) => followed.inventoryOf(release), now),
        ...releases.flatMap((release) =>
          rolloutTold(release).map(
            ([about, text]) =>
              [`${release.metadata.namespace ?? ''}/${release.metadata.name} ${about}`, text] as const,
          ),
        ),
        // After those, so that it stands in place of the line that tells why there is no wave.
        ...releases.map(
          (release) =>
            [`${release.metadata.namespace ?? ''}/${release.metadata.name}`, waitsFor(release)] as const,
        ),
      ]),
  });
}
