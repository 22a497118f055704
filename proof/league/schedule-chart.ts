import type { Html } from '../lanes/document';
import { type Lane, renderChart } from '../lanes/lanes';
import type { Step } from './world/play';

const LANES: readonly (Lane & { readonly id: Step['lane'] })[] = [
  { id: 'deliveries', name: 'deliveries' },
  { id: 'calls', name: 'calls' },
  { id: 'provider', name: 'provider' },
  { id: 'elsewhere', name: 'elsewhere' },
];

/** A played schedule: lanes for deliveries, calls and the provider on one time axis, and each step in words. */
export function chartOf(steps: readonly Step[], label: string): Html {
  const lanes = LANES.filter(({ id }) => steps.some(({ lane }) => lane === id));
  return renderChart({ label, lanes, steps, areWordsOpen: true });
}
