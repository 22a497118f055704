import { documentOf, html } from '../lanes/document';
import { type Bar, renderChart, type Step } from '../lanes/lanes';
import { endOf, lanesIn } from './diagram';
import type { ReplayedTrace, TraceStep } from './trace';

/** A schedule as one document: its lanes on a time axis, and each step in words. `command` goes through it again. */
export function renderPage({ trace, violation }: ReplayedTrace, command: string): Promise<string> {
  const lanes = lanesIn(trace).map(name => ({ id: name, name }));
  const steps = trace.map((step, index) => stepOf(step, `${index + 1}`, trace[index - 1]));
  return documentOf(
    'onceflow: a schedule of the exploration',
    html`<h1>A schedule of the exploration</h1>
<p><code>${command}</code></p>
<p>Each step is what happens next of all that could; the bars are the executions that run, and the record as it is.
A fault says so, and its number is red.</p>
<section class="panel" aria-label="Schedule">
${renderChart({ label: `Time axis of ${trace.length} steps`, lanes, steps, areWordsOpen: true })}
</section>
<p class="verdict">${endOf(violation)}</p>
`,
  );
}

function stepOf(step: TraceStep, sign: string, before: TraceStep | undefined): Step {
  const { at, description, isFault, record, running } = step;
  const [lane, to] = step.lanes;
  const isChanged = before === undefined ? step.recordStatus !== undefined : record !== before.record;
  const runningBefore = before?.running ?? [];
  const begun = running.filter(name => !runningBefore.includes(name));
  const ended = runningBefore.filter(name => !running.includes(name));
  return {
    at,
    lane,
    ...(to !== lane && { to }),
    sign,
    mark: isFault ? 'fault' : 'step',
    text: isChanged ? `${description} The record: ${record}.` : description,
    bars: {
      ...Object.fromEntries(begun.map(name => [name, RUNNING])),
      ...Object.fromEntries(ended.map(name => [name, null])),
      ...(isChanged && { record: barOf(step) }),
    },
  };
}

const RUNNING: Bar = { tone: 'run' };

function barOf({ record, recordStatus }: TraceStep): Bar | null {
  if (recordStatus === undefined) return null;
  const tone = recordStatus === 'COMPLETED' ? 'good' : recordStatus === 'FAILED' ? 'bad' : 'run';
  return { tone, text: record };
}
