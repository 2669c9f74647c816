import { formatDuration } from '../../api/duration.ts';
import type { StageName } from '../../api/inventory.ts';
import { describe } from '../../api/object.ts';
import type { PlanReport, PlanStage, PlanWave } from '../offline/plan.ts';
import { count, joinSections, type Page, section } from './page.ts';
import { printable } from './printable.ts';
import { cut } from './width.ts';
import { wrap } from './wrap.ts';

const STAGE_TEXT: Readonly<Record<StageName, string>> = {
  Namespaces: 'Namespaces',
  Types: 'Types: CRDs, classes',
  Prerequisites: 'Prerequisites: accounts, RBAC, quotas, network policies',
  Regular: 'Regular',
  Late: 'Late: API services, webhooks, admission policies',
  Instances: 'Instances of types that come with it',
};

/** The page of `waves plan`: what is applied in which order, what is deleted in which, and what to look at. */
export function planPage(plan: PlanReport, page: Page): string[] {
  const waves = count(plan.waves.length, 'wave');
  return joinSections([
    [page.paint(`${count(plan.objects, 'object')} in ${waves}`, 'strong')],
    ...plan.waves.map((wave) => waveSection(wave, plan, page)),
    ...plan.deleteWaves.map(({ deleteOrder, stages }) =>
      stageSection(`Delete wave ${deleteOrder}`, '', stages, page),
    ),
    bullets(
      'Hooks',
      plan.hooks.map(({ phase, name, namespace }) => `${phase}: ${name} in ${namespace}`),
      page,
    ),
    bullets('Never deleted', plan.kept.map(describe), page),
    bullets('Warnings', plan.warnings, page),
    bullets('Notes', plan.notes, page),
  ]);
}

function waveSection(wave: PlanWave, plan: PlanReport, page: Page): string[] {
  return stageSection(`Wave ${wave.number}`, gateText(wave, plan), wave.stages, page);
}

function gateText({ gate }: PlanWave, { assessed }: PlanReport): string {
  if (gate === undefined) return '';
  const limit = gate.limitMs === undefined ? 'without limit' : `at most ${formatDuration(gate.limitMs)}`;
  const text = `waits until wave ${gate.after} is healthy, ${limit}`;
  return assessed ? text : `${text} (with spec.healthAssessment)`;
}

/** Each stage by its name, what stands in it below; more than one object at a time is applied at once. */
function stageSection(heading: string, remark: string, stages: readonly PlanStage[], page: Page): string[] {
  const total = stages.reduce((sum, { objects }) => sum + objects.length, 0);
  const about = [count(total, 'object'), ...(remark === '' ? [] : [remark])].join(', ');
  return [
    ...wrap(`${heading}: ${about}`, page.width).map((line, index) =>
      index === 0 ? line.replace(heading, page.paint(heading, 'strong')) : `  ${line}`,
    ),
    ...stages.flatMap(({ name, objects }) => [
      page.paint(`  ${STAGE_TEXT[name]}`, 'dim'),
      ...objects.map((key) => cut(`    ${printable(describe(key))}`, page.width)),
    ]),
  ];
}

function bullets(heading: string, texts: readonly string[], page: Page): string[] {
  return section(
    page,
    heading,
    texts.flatMap((text) =>
      wrap(printable(text), page.width, '    ').map((line, index) =>
        index === 0 ? `  - ${line.trimStart()}` : line,
      ),
    ),
  );
}
