import { useSignal } from '@preact/signals';
import type { CostView } from '../../views';
import { useLive } from '../live';
import { Notice, NotRead } from './notice';

interface CostsProps {
  /** The address of the view. */
  readonly path: string;
  /** Whether a time is chosen, in place of the last day. */
  readonly hasSince: boolean;
  /** What a workflow is called. */
  readonly labels: (name: string) => string;
}

/** What executions of this time have cost, which is read once somebody asks: it takes many histories. */
export function Costs({ path, hasSince, labels }: CostsProps) {
  const isOpen = useSignal(false);
  return (
    <details class="costs" onToggle={event => (isOpen.value = event.currentTarget.open)}>
      <summary>Cost of {hasSince ? 'this time' : 'the last day'}</summary>
      {isOpen.value && <Read path={path} labels={labels} />}
    </details>
  );
}

function Read({ path, labels }: Pick<CostsProps, 'path' | 'labels'>) {
  const { view, problem } = useLive<CostView>(path);
  return (
    <>
      {problem && <NotRead problem={problem} isOlder={view !== undefined} />}
      {view === undefined && problem === undefined && <Notice kind="wait">Reading histories …</Notice>}
      {view?.costs.map(({ workflow, words }) => (
        <p key={workflow} class="searched">
          {labels(workflow)}: {words}.
        </p>
      ))}
    </>
  );
}
