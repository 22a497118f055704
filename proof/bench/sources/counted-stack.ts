import type { ServiceResult } from '@onceflow/local';
import { STATE } from '../../../state-machine/contract/state-names';
import { LocalApp } from '../../front-door/local-app';
import { loggedBytes } from '../cost/logged-bytes';
import { type Calls, callsInARow, isExpress, type MadeCall, millisecondsOfCall, nameOfCall } from './calls';

/** The counts of one delivery. */
export interface Counted {
  /** The calls before the step began; undefined if the step did not run. */
  readonly beforeStep: Calls | undefined;
  /** All that was called. */
  readonly total: Calls;
  /** As much of it as the Express workflow did that took the delivery. */
  readonly byExpress: Calls;
  /** Reads of the front door, and the read units of them, of records up to 4 KB. */
  readonly frontDoorReads: number;
  readonly frontDoorReadUnits: number;
  /** Executions of Express state machines. */
  readonly expressExecutions: number;
  /** StartExecution calls of state machines. */
  readonly starts: number;
  /** DynamoDB writes, rejected ones included, and reads. */
  readonly writes: number;
  readonly reads: number;
  readonly stepRuns: number;
  /** What state machines log, in bytes as they are billed: here the Express ones alone do. */
  readonly logBytes: number;
}

/** What the step does: it answers, or takes its time before it succeeds. */
export type Played = ServiceResult | { readonly kind: 'slow'; readonly ms: number };

/** The app of `SourcesStack` on a local stack in virtual time: what is delivered to it, and what that calls. */
export class CountedStack {
  readonly place: LocalApp;
  readonly #probe: Probe;

  private constructor(place: LocalApp, probe: Probe) {
    this.place = place;
    this.#probe = probe;
  }

  /** Starts a stack of a cloud assembly. */
  static async open(assembly: string): Promise<CountedStack> {
    const probe: Probe = {
      calls: [],
      invokedAt: [],
      isTimed: false,
      played: PAID,
      stepRuns: 0,
      stepBegins: async () => {},
    };
    const place = await LocalApp.open(
      assembly,
      ({ pause }) =>
        async (call, next) => {
          const isOfRecovery = IS_OF_RECOVERY.test(call.executionArn);
          const [until, after] = probe.isTimed && !isOfRecovery ? millisecondsOfCall(call) : [0, 0];
          if (until > 0) await pause(until);
          if (call.stateName !== STATE.step) {
            const { ConsistentRead: isSure } = (call.arguments ?? {}) as {
              readonly ConsistentRead?: unknown;
            };
            const mayBeOld = isSure === false;
            // Recovery runs for each failure; docs/guide/recovery.md has its cost.
            if (!isOfRecovery) probe.calls.push({ ...call, mayBeOld });
            const result = await next();
            if (after > 0) await pause(after);
            return result;
          }
          const { played } = probe;
          probe.played = PAID;
          probe.stepRuns += 1;
          await probe.stepBegins();
          if (played.kind !== 'slow') return played;
          await pause(played.ms);
          return PAID;
        },
      { invoked: ({ begunAt }) => probe.invokedAt.push(begunAt) },
    );
    return new CountedStack(place, probe);
  }

  /** Says what the step does the next time; after that it succeeds at once. */
  play(played: Played): void {
    this.#probe.played = played;
  }

  /** Does work of which each call takes the time that is assumed of it. */
  async timed<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#probe.isTimed = true;
    try {
      return await work();
    } finally {
      this.#probe.isTimed = false;
    }
  }

  /** The calls during `work`. */
  async counted(work: () => Promise<unknown>): Promise<Counted> {
    const probe = this.#probe;
    const before = await this.#snapshot();
    let atStep: Snapshot | undefined;
    probe.stepBegins = async () => {
      probe.stepBegins = async () => {};
      atStep = await this.#snapshot();
    };
    await work();
    probe.stepBegins = async () => {};
    const after = await this.#snapshot();
    const made = after.calls.slice(before.calls.length);
    const count = (resource: RegExp) => made.filter(call => resource.test(call.resource)).length;
    const reads = count(/^dynamodb:getItem$/);
    const ofFrontDoor = made.filter(
      call => isExpress(call.executionArn) && call.resource === 'dynamodb:getItem',
    );
    return {
      beforeStep: atStep && difference(before, atStep, { goesOn: true }),
      total: difference(before, after),
      byExpress: {
        ...difference(before, after, { isCounted: call => isExpress(call.executionArn) }),
        states: 0,
      },
      frontDoorReads: ofFrontDoor.length,
      frontDoorReadUnits: ofFrontDoor.reduce((sum, { mayBeOld }) => sum + (mayBeOld ? 0.5 : 1), 0),
      expressExecutions: new Set(made.map(({ executionArn }) => executionArn).filter(isExpress)).size,
      starts: count(/startExecution$/i),
      writes: count(/^dynamodb:/) - reads,
      reads,
      stepRuns: after.stepRuns - before.stepRuns,
      logBytes: after.logBytes - before.logBytes,
    };
  }

  /** Starts the workflow as a client does, without a source. Resolves when it has been started. */
  async start(input: object): Promise<void> {
    const { stack } = this.place;
    const stateMachineArn = stack.output('StateMachineArn');
    this.#probe.calls.push({ executionArn: '', resource: 'states:startExecution', stateName: '' });
    await stack.runtime.startExecution({ stateMachineArn, input: JSON.stringify(input) });
  }

  async #snapshot(): Promise<Snapshot> {
    const { calls, invokedAt, stepRuns } = this.#probe;
    const { stack } = this.place;
    let transitions = 0;
    for (const stateMachineArn of [stack.output('StateMachineArn'), stack.output('ReportArn')]) {
      const { executions } = await stack.runtime.listExecutions({ stateMachineArn, maxResults: 1000 });
      for (const { executionArn } of executions) transitions += stack.runtime.billedTransitions(executionArn);
    }
    return {
      calls: [...calls],
      at: Date.now(),
      now: this.place.now(),
      invokedAt,
      apiRequests: stack.httpRequests.received,
      transitions,
      stepRuns,
      logBytes: loggedBytes(stack),
    };
  }

  close(): Promise<void> {
    return this.place.close();
  }
}

/** ARNs of the executions of recovery, by the names that its state machines get. */
const IS_OF_RECOVERY = /:execution:\w*Recovery\w*:/;

/** The log of the running stack. */
interface Probe {
  readonly calls: MadeCall[];
  /** When functions were invoked, in the machine's time. */
  readonly invokedAt: number[];
  /** Each call takes the time that is assumed of it. */
  isTimed: boolean;
  played: Played;
  stepRuns: number;
  stepBegins: () => Promise<void>;
}

interface Snapshot extends Pick<Calls, 'apiRequests'> {
  readonly calls: readonly MadeCall[];
  /** The machine's time, and that of the stack. */
  readonly at: number;
  readonly now: number;
  /** Can grow after the snapshot: an invocation is reported at its end. */
  readonly invokedAt: readonly number[];
  readonly transitions: number;
  readonly stepRuns: number;
  readonly logBytes: number;
}

interface Difference {
  readonly isCounted?: (call: MadeCall) => boolean;
  /** The second one was taken when the workflow was about to make a call. */
  readonly goesOn?: boolean;
}

/** The countable calls between two snapshots that a caller waits for. */
function difference(
  before: Snapshot,
  after: Snapshot,
  { isCounted = () => true, goesOn = false }: Difference = {},
): Calls {
  const made = callsInARow(after.calls.slice(before.calls.length).filter(isCounted), goesOn);
  const apiRequests = after.apiRequests - before.apiRequests;
  const functions = after.invokedAt.filter(at => at >= before.at && at <= after.at).length;
  const redrives = made.filter(({ resource }) => resource === 'lambda:invoke').length;
  const express = new Set<string>();
  const sequence = made.flatMap(call => {
    // What begins with a claim is a workflow: the start before it is counted.
    const isDoor = isExpress(call.executionArn) && call.stateName !== STATE.claim;
    const isNew = isDoor && !express.has(call.executionArn);
    if (isExpress(call.executionArn)) express.add(call.executionArn);
    return [...(isNew ? [apiRequests > 0 ? 'front door' : 'dispatcher'] : []), nameOfCall(call)];
  });
  const dynamoDb = made.filter(({ resource }) => resource.startsWith('dynamodb:')).length;
  return {
    apiRequests,
    functions,
    stepFunctions: sequence.length - dynamoDb,
    dynamoDb,
    states: after.transitions - before.transitions,
    waitedMs: after.now - before.now,
    sequence: [
      ...Array<string>(apiRequests).fill('request'),
      ...Array<string>(functions - redrives).fill('function'),
      ...sequence,
    ],
  };
}

const PAID: ServiceResult = {
  kind: 'succeeded',
  output: { ExecutedVersion: '$LATEST', Payload: 'paid', StatusCode: 200 },
};
