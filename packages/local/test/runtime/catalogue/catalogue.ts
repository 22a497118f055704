import { Activities } from '../../../runtime/catalogue/activities';
import type { Catalogue } from '../../../runtime/catalogue/catalogue';
import { createStateMachine } from '../../../runtime/catalogue/create-machine';
import { MachineRegistry } from '../../../runtime/catalogue/machine-registry';
import { type Ids, seededIds } from '../../../runtime/ids';
import { VirtualClock } from '../../../runtime/time/virtual-clock';
import { textOf, WAIT } from '../world';

export const NOW = Date.UTC(2026, 0, 1);
export const ROLE = 'arn:aws:iam::111111111111:role/r';
export const ARN = 'arn:aws:states:us-east-1:111111111111:stateMachine:m';

/** Another text for each number. */
export function definition(number = 0): string {
  return textOf({ W: { ...WAIT, Comment: `${number}` } });
}

/** An empty catalogue; its clock stands still unless it is moved. */
export function emptyCatalogue(ids: Ids = seededIds('catalogue')) {
  const clock = new VirtualClock(NOW);
  let changes = 0;
  const changed = () => {
    changes += 1;
  };
  const environment = { partition: 'aws', region: 'us-east-1', account: '111111111111' };
  const machines = new MachineRegistry(new Map(), environment, changed);
  const catalogue: Catalogue = { machines, activities: new Activities(changed), clock, ids };
  return { ...catalogue, clock, changes: () => changes };
}

/** A catalogue with machine `m`, never updated and not published. */
export function withMachine(): ReturnType<typeof emptyCatalogue> {
  const catalogue = emptyCatalogue();
  createStateMachine(catalogue, { name: 'm', definition: definition(), roleArn: ROLE });
  return catalogue;
}

/** What a call is rejected with, as `Name: message`, or what it answers. */
export function outcome(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : error;
  }
}
