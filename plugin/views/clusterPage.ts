import type { Cluster } from '../../api/cluster.ts';
import type { Release } from '../../api/release.ts';
import { clusterRemedy, secretOf } from './clusterRemedies.ts';
import { clusterStanding } from './clusterStanding.ts';
import { latencyText } from './clusterTable.ts';
import { count, field, joinSections, type Page, paragraph, section, whatToDo } from './page.ts';
import { readinessOf } from './readiness.ts';
import { releaseTable } from './releaseTable.ts';
import { ageOf, ago } from './time.ts';

export interface ClusterPageOptions extends Page {
  /** Every Release, not only those that are not ready. */
  wide: boolean;
}

/** Releases that are not ready which the page names before it only counts. */
const NAMED = 20;

/** The page of `cluster status`: whether it answers and what to do, how it is reached, and the Releases that are not ready. */
export function clusterPage(
  cluster: Cluster,
  releases: readonly Release[],
  page: ClusterPageOptions,
): string[] {
  return joinSections([
    verdict(cluster, page),
    whatToDo(
      page,
      clusterStanding(cluster, page.now).status,
      clusterRemedy(cluster, clusterStanding(cluster, page.now).reason),
    ),
    facts(cluster, releases, page),
    releaseLines(cluster, releases, page),
  ]);
}

function verdict(cluster: Cluster, page: Page): string[] {
  const { name, namespace = '', deletionTimestamp } = cluster.metadata;
  const { status, reason, message, since, tone } = clusterStanding(cluster, page.now);
  const word = { True: 'answers', False: 'not reached', Unknown: 'not known' }[status];
  const detail =
    reason === '-' ? '' : ` (${reason}${since === undefined ? '' : `, for ${ageOf(since, page.now)}`})`;
  const paused = cluster.spec?.paused === true ? `, ${page.paint('paused', 'warn')}` : '';
  const deleting =
    deletionTimestamp === undefined ? '' : `, being deleted since ${ageOf(deletionTimestamp, page.now)}`;
  return [
    `${page.paint(`Cluster ${name} in ${namespace}`, 'strong')}: ${page.paint(word, tone)}${detail}${paused}${deleting}`,
    ...paragraph(page, message),
  ];
}

function facts(cluster: Cluster, releases: readonly Release[], page: Page): string[] {
  return [
    ...field(page, 'Reached by', wayText(cluster)),
    ...field(page, 'Server', serverText(cluster, page)),
    ...field(page, 'Releases', releasesText(releases)),
  ];
}

function wayText(cluster: Cluster): string {
  if (cluster.spec?.kubeconfig === undefined) return "nothing: it is the controller's own cluster";
  const { name, key } = secretOf(cluster);
  return `the kubeconfig in key ${key} of Secret ${name}`;
}

function serverText({ status = {} }: Cluster, { now }: Page): string {
  const { serverVersion, lastContact, latencyMilliseconds } = status;
  if (lastContact === undefined) return 'it has never answered';
  return `${serverVersion ?? 'of unknown version'}, answered ${ago(lastContact, now)} in ${latencyText(latencyMilliseconds)}`;
}

function releasesText(releases: readonly Release[]): string {
  if (releases.length === 0) return 'none';
  const words = { True: 'ready', False: 'not ready', Unknown: 'not known' };
  const counts = Map.groupBy(releases, (release) => words[readinessOf(release).status]);
  const parts = Object.values(words).flatMap((word) => {
    const of = counts.get(word)?.length ?? 0;
    return of === 0 ? [] : [`${of} ${word}`];
  });
  return `${releases.length}: ${parts.join(', ')}`;
}

/** Those that are not ready first; how they wait for each other tells another command. */
function releaseLines(cluster: Cluster, releases: readonly Release[], page: ClusterPageOptions): string[] {
  const troubled = releases.filter((release) => readinessOf(release).status !== 'True');
  const shown = page.wide ? [...troubled, ...releases.filter((one) => !troubled.includes(one))] : troubled;
  const named = page.wide ? shown : shown.slice(0, NAMED);
  if (named.length === 0) return [];
  const { name, namespace = '' } = cluster.metadata;
  const rows = releaseTable(named, { ...page, wide: false, allNamespaces: false, headers: true });
  const left = shown.length - named.length;
  return section(page, page.wide ? 'Releases' : 'Releases that are not ready', [
    ...rows.map((row) => `  ${row}`),
    ...(left === 0
      ? []
      : [
          `  and ${count(left, 'more', 'more')}: kubectl convoy cluster status ${name} -n ${namespace} -o wide`,
        ]),
    `  Who waits for whom: kubectl convoy cluster waves ${name} -n ${namespace}`,
  ]);
}
