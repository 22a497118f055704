import { InUse, OtherPayload } from '../../guards/guard';
import { makeTable } from '../../guards/make-table';
import { openPowertools } from '../../guards/powertools';
import type { Order } from '../world/play';
import { currentProcess } from '../world/process';
import { FUNCTION_TIMEOUT_MS } from '../world/queue-source';
import type { World } from '../world/world';
import type { Contender } from './contender';
import { behindQueue } from './function';

const DOCUMENTATION = 'https://docs.aws.amazon.com/powertools/typescript/latest/features/idempotency/';

/** Powertools' idempotency as installed into `folder`, with its defaults and with the settings that serve best here. */
export function powertools(folder: string, version: string): readonly Contender[] {
  const limit = {
    words:
      'If a second invocation happens after this timestamp, and the record is marked as INPROGRESS, we will execute the invocation again as if it was in the EXPIRED state',
    source: 'https://github.com/aws-powertools/powertools-lambda-python/releases/tag/v1.26.7',
  };
  const contender = (id: string, title: string, settings: string, config: object): Contender => ({
    id,
    title,
    settings,
    documentation: DOCUMENTATION,
    limit,
    open: world => open(folder, world, config),
  });
  return [
    contender(
      'powertools',
      `Powertools ${version}, defaults`,
      'Around the function for each record of SQS, the key chosen by JMESPath, the Lambda context registered; records expire after an hour.',
      { eventKeyJmesPath: 'key' },
    ),
    contender(
      'powertools-best',
      `Powertools ${version}, best settings`,
      'The same; records expire after 30 days, and the amount is validated.',
      {
        eventKeyJmesPath: 'key',
        expiresAfterSeconds: 30 * 24 * 3600,
        payloadValidationJmesPath: 'amount',
        throwOnNoIdempotencyKey: true,
      },
    ),
  ];
}

async function open(folder: string, world: World, settings: object) {
  const tableName = await makeTable(world.client, 'Powertools');
  const { guard } = openPowertools(folder, { tableName, config: world.clientConfig() });
  return behindQueue(world, async (order, step) => {
    const process = currentProcess();
    let hasRun = false;
    const startedAt = world.clock.now();
    const guarded = guard(
      async given => {
        hasRun = true;
        return step({ ...(given as Order), delivery: order.delivery });
      },
      settings,
      () => FUNCTION_TIMEOUT_MS - (world.clock.now() - startedAt),
    );
    const { delivery: _, ...event } = order;
    try {
      const result = String(await guarded(event));
      return { kind: hasRun ? 'result' : 'duplicate', result };
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      if (name === 'IdempotencyAlreadyInProgressError') throw new InUse(name);
      if (name === 'IdempotencyValidationError') throw new OtherPayload(name);
      if (process?.isDead) return world.work.lose();
      throw error;
    }
  });
}
