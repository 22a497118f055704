import type { LocalStack } from '../index';
import { type MockTable, readMocks } from '../mocks/read-mocks';
import { unusedMocks } from '../mocks/unused-mocks';
import type { Asked } from './arguments';

/** So many names are said to be unused: a file may be for many state machines. */
const SAID_MAX = 5;

/** The mocks that the command was given, which the stack has read without a problem; says which of them answer nothing. */
export function givenMocks({ options: { mocks } }: Asked, stack: LocalStack): MockTable | undefined {
  const read = mocks === undefined ? undefined : readMocks(mocks);
  if (read?.kind !== 'mocks') return undefined;
  const { stateMachines } = stack.assembly;
  // State machines that clients create later are not known yet.
  const unused = stateMachines.length === 0 ? [] : unusedMocks(read.table, stateMachines);
  const more = unused.length > SAID_MAX ? [`and ${unused.length - SAID_MAX} more names`] : [];
  for (const sentence of [...unused.slice(0, SAID_MAX), ...more])
    process.stderr.write(`warning: ${mocks}: ${sentence}\n`);
  return read.table;
}
