import type { HistoryEvent } from '@onceflow/console';
import { type Graph, graphOf } from '../../packages/console/page/graph/graph';
import { takenIn } from '../../packages/console/page/history/taken-edges';
import { timelineOf } from '../../packages/console/page/history/timeline';
import type { Visit } from '../../packages/console/page/history/visits';
import { STATE } from '../../state-machine/contract/state-names';
import { overviewPicture } from './overview';
import { withoutServiceErrors } from './service-errors';
import { workflowPicture } from './workflow';

/** The definition that is drawn, from the root of the repository. */
export const REVIEWED = 'test/golden/minimal.asl.json';

/** What stands above the two columns of the workflow. */
const HEADINGS: ReadonlyMap<string, string> = new Map([
  [STATE.claim, 'First delivery'],
  [STATE.read, 'Duplicate'],
]);

const TITLE = 'The workflow: the first delivery of a key, and its duplicates';

/** The pictures of a definition's text, by their files, from the root of the repository. */
export function pictures(definition: string): readonly (readonly [file: string, svg: string])[] {
  const graph = withoutServiceErrors(graphIn(definition));
  return [
    ['docs/images/overview.svg', overviewPicture()],
    ['docs/images/workflow.svg', workflowPicture(graph, { title: TITLE, headings: HEADINGS })],
  ];
}

/** All of a definition, with retries and service errors. */
export function wholePicture(definition: string): string {
  return workflowPicture(graphIn(definition), { title: TITLE, headings: HEADINGS });
}

/** The workflow with the way lit that an execution went, by its definition and its history. */
export function executionPicture(title: string, definition: string, events: readonly HistoryEvent[]): string {
  const snapshot = timelineOf(events).at();
  const last = new Map(snapshot.visits.map(visit => [visit.name, visit]));
  const graph = withoutServiceErrors(graphIn(definition));
  const nodes = graph.nodes.map(node => ({ ...node, note: noteOf(last.get(node.name)) }));
  const states = new Map([...last].map(([name, visit]) => [name, endOf(visit)]));
  return workflowPicture(
    { ...graph, nodes },
    { title, headings: HEADINGS },
    { states, isTaken: takenIn(snapshot) },
  );
}

/** The graph of a definition that is known to be one. */
export function graphIn(definition: string): Graph {
  const graph = graphOf(definition);
  if (graph === undefined) throw new Error('the definition has no state that can be drawn');
  return graph;
}

function noteOf(visit: Visit | undefined): string {
  return visit !== undefined && visit.redrives > 0 ? '(stopped, then redriven)' : '';
}

function endOf({ status }: Visit): 'succeeded' | 'caught' | 'failed' {
  return status === 'succeeded' || status === 'caught' ? status : 'failed';
}
