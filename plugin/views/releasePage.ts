import { DEFAULTS } from '../../api/defaults.ts';
import type { Release, RenderRecord } from '../../api/release.ts';
import type { InventoryView } from '../cluster/inventory.ts';
import { currentRender, waveStates } from '../waves/waveStates.ts';
import { hookTable } from './hookTable.ts';
import { inventorySection } from './inventorySection.ts';
import { field, joinSections, type Page, paragraph, section, whatToDo } from './page.ts';
import { conditionOf, readinessOf, toneOf } from './readiness.ts';
import { remedyFor, remedyForSilence } from './remedies.ts';
import { rolloutFields } from './rolloutFields.ts';
import { shortDigest, sourceText } from './sourceText.ts';
import { type Column, table } from './table.ts';
import { ageOf, ago } from './time.ts';
import { waveTable } from './waveTable.ts';

export interface ReleasePageOptions extends Page {
  inventory: InventoryView;
  /** Every object, not only those that need a look. */
  wide: boolean;
}

const INDENT = '  ';

/** The page of `release status`: how it stands and what to do first, then what that rests on. */
export function releasePage(release: Release, options: ReleasePageOptions): string[] {
  return joinSections([
    verdict(release, options),
    failure(release, options),
    toDo(release, options),
    facts(release, options),
    conditions(release, options),
    waves(release, options),
    hookTable(release.status?.hooks ?? [], options),
    inventorySection(options.inventory, {
      ...options,
      renderRef: currentRender(release),
      counts: release.status?.health,
    }),
    history(release, options),
  ]);
}

function verdict(release: Release, page: Page): string[] {
  const { name, namespace = '', deletionTimestamp } = release.metadata;
  const { status, reason, message, since, tone } = readinessOf(release);
  const word = { True: 'ready', False: 'not ready', Unknown: 'not known' }[status];
  const detail =
    reason === '-' ? '' : ` (${reason}${since === undefined ? '' : `, for ${ageOf(since, page.now)}`})`;
  const deleting =
    deletionTimestamp === undefined ? '' : `, being deleted since ${ageOf(deletionTimestamp, page.now)}`;
  return [
    `${page.paint(`Release ${name} in ${namespace}`, 'strong')}: ${page.paint(word, tone)}${detail}${deleting}`,
    ...paragraph(page, message),
  ];
}

/** Why the last attempt ended, where the Ready message does not say it already. */
function failure(release: Release, page: Page): string[] {
  const failed = release.status?.lastAttempted?.failure;
  if (failed === undefined || failed.message === readinessOf(release).message) return [];
  return section(page, `Failed at ${failed.stage}`, paragraph(page, failed.message));
}

function toDo(release: Release, page: Page): string[] {
  const { reason, status } = readinessOf(release);
  const { name, namespace = '' } = release.metadata;
  const lines =
    reason === '-'
      ? remedyForSilence()
      : remedyFor(reason, { name, namespace, hooks: release.status?.hooks });
  return whatToDo(page, status, lines);
}

function facts(release: Release, page: Page): string[] {
  const { spec, status = {}, metadata } = release;
  const fetched = status.source;
  return [
    ...field(page, 'Source', sourceText(spec.source)),
    ...(fetched === undefined
      ? []
      : field(
          page,
          '',
          `revision ${shortDigest(fetched.revision)}, fetched ${ago(fetched.fetchedAt, page.now)}`,
        )),
    ...field(
      page,
      'Into',
      `${clusterText(release)}; namespace ${spec.targetNamespace ?? metadata.namespace ?? ''} where none is given`,
    ),
    ...field(page, 'Sync', syncText(release)),
    ...renders(release, page),
    ...rolloutFields(release, page),
  ];
}

function clusterText({ spec }: Release): string {
  return spec.clusterRef === undefined ? "the controller's own cluster" : `Cluster ${spec.clusterRef.name}`;
}

function syncText({ spec }: Release): string {
  const every = `checked at the latest every ${spec.interval ?? DEFAULTS.interval}`;
  const mode = spec.syncPolicy?.mode === 'Manual' ? 'by request' : 'automatic';
  return `${mode}, ${every}`;
}

function renders(release: Release, page: Page): string[] {
  const { status = {} } = release;
  const { lastAttempted, lastSuccessful, lastHealthy } = status;
  const stage = lastAttempted?.failure?.stage;
  const isAssessed = conditionOf(release, 'Healthy')?.reason !== 'NotAssessed';
  const rows: [what: string, record: Partial<RenderRecord> | undefined, remark: string][] = [
    ['tried  ', lastAttempted, stage === undefined ? '' : `, failed at ${stage}`],
    ['applied', lastSuccessful, ''],
    ['healthy', lastHealthy, isAssessed ? '' : ' (not assessed)'],
  ];
  return rows
    .filter(([, record]) => record?.renderRef !== undefined)
    .flatMap(([what, record, remark], index) => {
      const digest = shortDigest(record?.renderRef ?? '');
      return field(
        page,
        index === 0 ? 'Render' : '',
        `${what}  ${digest}, ${ago(record?.at, page.now)}${remark}`,
      );
    });
}

const AS_ABOVE = 'as above';

function conditions(release: Release, page: Page): string[] {
  const { status = {} } = release;
  const said = readinessOf(release).message;
  type Row = NonNullable<typeof status.conditions>[number];
  const columns: Column<Row>[] = [
    { header: 'CONDITION', cell: ({ type }) => type },
    { header: 'STATUS', cell: (condition) => ({ text: condition.status, tone: toneOf(condition) }) },
    { header: 'REASON', cell: ({ reason }) => reason },
    { header: 'SINCE', cell: ({ lastTransitionTime }) => ageOf(lastTransitionTime, page.now) },
    {
      header: 'MESSAGE',
      cell: ({ message }) => (message === said ? AS_ABOVE : message),
      shrinkTo: 16,
      dropAt: 1,
    },
  ];
  const rows = status.conditions ?? [];
  return rows.length === 0 ? [] : table(columns, rows, { ...page });
}

function waves(release: Release, options: ReleasePageOptions): string[] {
  const { inventory, now } = options;
  const states = waveStates(release, 'unreadable' in inventory ? [] : inventory, now);
  return states.length === 0 ? [] : waveTable(states, options);
}

const HISTORY_SHOWN = 5;

function history({ status = {} }: Release, page: Page): string[] {
  const all = status.history ?? [];
  type Row = (typeof all)[number];
  const columns: Column<Row>[] = [
    { header: 'HISTORY', cell: ({ number }) => String(number) },
    { header: 'RENDER', cell: ({ renderRef }) => shortDigest(renderRef) },
    { header: 'REVISION', cell: ({ revision }) => shortDigest(revision), shrinkTo: 12, dropAt: 1 },
    { header: 'APPLIED', cell: ({ appliedAt }) => ago(appliedAt, page.now) },
    { header: 'BY', cell: ({ by }) => by ?? '-', dropAt: 2 },
  ];
  const shown = all.slice(0, HISTORY_SHOWN);
  if (shown.length === 0) return [];
  const more = all.length - shown.length;
  return [...table(columns, shown, { ...page }), ...(more > 0 ? [`${INDENT}and ${more} older`] : [])];
}
