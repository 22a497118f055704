import { notKnown } from '../assembly/likeness';
import type { Assembly } from '../index';
import { UsageError } from './arguments';

type Machine = Assembly['stateMachines'][number];

/** The state machine of the sources that `--machine` names, or the only one. @throws UsageError if none is clear */
export function machineOf(
  { stateMachines, notRun }: Pick<Assembly, 'stateMachines' | 'notRun'>,
  asked: string | undefined,
): Machine {
  const named = stateMachines.filter(
    // The name of a resource that no template wrote is its logical id.
    ({ name, logicalId }) => asked === undefined || [name, logicalId].includes(asked),
  );
  const [found, ...others] = named;
  if (found !== undefined && others.length === 0) return found;
  const known = stateMachines.map(({ logicalId }) => logicalId);
  if (known.length === 0)
    throw new UsageError(['the source has no state machine', ...describeNotRunLines({ notRun })].join('\n'));
  if (asked === undefined)
    throw new UsageError(
      `the source has several state machines; pass --machine with one of ${known.join(', ')}`,
    );
  throw new UsageError(`--machine: ${asked} ${notKnown(asked, 'a state machine', known)}`);
}

/** What of the sources is not run, each with its reason. */
export function describeNotRunLines({ notRun }: Pick<Assembly, 'notRun'>): readonly string[] {
  return notRun.map(({ logicalId, type, reason }) => {
    return `not run        ${logicalId}: ${reason ?? `nothing of type ${type} is run`}`;
  });
}
