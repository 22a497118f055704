import type { Html } from '../lanes/document';
import { type Lane, type Step as MarkedStep, type MarkName, renderChart } from '../lanes/lanes';
import type { Step } from './world/play';

/** Where a step of a schedule stands in its chart, and with which mark, by what its sentence says; the first counts. */
const PLACES: readonly (readonly [says: RegExp, lane: string, mark: MarkName])[] = [
  [/delivery \d+ comes/, 'deliveries', 'comes'],
  [/is answered: (?:result|duplicate)/, 'deliveries', 'answered'],
  [/is answered: /, 'deliveries', 'refused'],
  [/the provider charges/, 'provider', 'charged'],
  [/call \d+: .*: (?:refused|carried out, and|the process)/, 'calls', 'fault'],
  [/the step fails|is given up|cannot be stopped/, 'calls', 'fault'],
  [/call \d+: |that stood still goes on/, 'calls', 'step'],
];

const LANES: readonly Lane[] = [
  { id: 'deliveries', name: 'deliveries' },
  { id: 'calls', name: 'calls' },
  { id: 'provider', name: 'provider' },
  { id: 'elsewhere', name: 'elsewhere' },
];

/** The steps of a played schedule as the steps of a chart. */
export function stepsOf(steps: readonly Step[]): readonly MarkedStep[] {
  return steps.map(({ at, text }) => {
    const [, lane = 'elsewhere', mark = 'step'] = PLACES.find(([says]) => says.test(text)) ?? [];
    return { at, text, lane, mark };
  });
}

/** A played schedule: lanes for deliveries, calls and the provider on one time axis, and each step in words. */
export function chartOf(steps: readonly Step[], label: string): Html {
  const marked = stepsOf(steps);
  const lanes = LANES.filter(({ id }) => marked.some(({ lane }) => lane === id));
  return renderChart({ label, lanes, steps: marked, areWordsOpen: true });
}
