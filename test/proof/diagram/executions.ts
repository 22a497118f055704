import type { ExecutionView } from '@onceflow/console';
import { readExecution } from '../../../cli/console/views/read-execution';
import { Recovery } from '../../../infra/index';
import { ORDER, openCliWorld } from '../../cli/world';
import { returns, type World } from '../../support/world';

/** An execution whose path is drawn for the documents. */
export interface DrawnExecution {
  /** From the root of the repository. */
  readonly file: string;
  readonly title: string;
  /** Runs it, and whatever comes before it, on the local runtime; resolves to its ARN. */
  readonly run: (world: World) => Promise<string>;
}

/** The four that the documents show. */
export const executionPictures: readonly DrawnExecution[] = [
  {
    file: 'docs/images/execution-first.svg',
    title: 'The path of a first delivery: it claimed the record, ran the business step and stored the result',
    run: async world => (await world.delivered(ORDER)).executionArn,
  },
  {
    file: 'docs/images/execution-duplicate.svg',
    title: 'The path of a duplicate: the claim was rejected, the record was read, the stored result returned',
    run: async world => {
      await world.delivered(ORDER);
      return (await world.delivered(ORDER)).executionArn;
    },
  },
  {
    file: 'docs/images/execution-in-progress.svg',
    title: 'The path of a duplicate while the first delivery runs: it failed, in progress',
    run: async world => {
      world.step = async () => {
        await world.pause(5000);
        return returns({ charge: 1 });
      };
      await world.deliver(ORDER);
      await world.pass(1000);
      const duplicate = await world.deliver(ORDER);
      await world.settle();
      return duplicate;
    },
  },
  {
    file: 'docs/images/execution-resumed.svg',
    title:
      'The path of an execution that was stopped in its business step, redriven by recovery, and completed',
    run: async world => {
      const { step } = world;
      world.step = () => world.never();
      const stopped = await world.deliver(ORDER);
      await world.pass(1000);
      await world.stop(stopped);
      world.step = step;
      await world.settle();
      return stopped;
    },
  },
];

/** An execution that a new world has run, as the console reads it. */
export async function ranIn(run: DrawnExecution['run']): Promise<ExecutionView> {
  const cli = await openCliWorld({ name: 'recovery', workflow: { recovery: Recovery.automatic() } });
  try {
    return await readExecution(cli.aws, await run(cli.world));
  } finally {
    await cli.close();
  }
}
