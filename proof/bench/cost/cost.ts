/** What one delivery takes of what AWS bills or limits. The business step's own calls are not counted. */
export interface Cost {
  /** State transitions of Standard executions. */
  readonly transitions: number;
  /** Executions of Express state machines. */
  readonly expressExecutions: number;
  readonly invocations: number;
  /** DynamoDB writes of records, rejected ones included: they are billed, too. */
  readonly writes: number;
  /** DynamoDB reads of records. */
  readonly reads: number;
  /** Questions about an execution by DescribeExecution: not billed, but few are answered in a second. */
  readonly describeExecutions: number;
  /** How many DynamoDB calls a Lambda function waits for, while its time is billed. */
  readonly awaitedInFunction: number;
  /** What state machines log, in bytes as CloudWatch Logs bills them; what functions log is assumed. */
  readonly logBytes: number;
}

/** One row: who was asked, and what a delivery of this kind took. */
export interface CostRow extends Cost {
  readonly what: string;
  readonly delivery: 'fresh' | 'duplicate of a running key' | 'duplicate of a finished one';
}

/** DynamoDB calls that were counted. */
export interface DynamoDbCalls {
  writes: number;
  reads: number;
}

/** As much of an SDK client, of whatever copy of the SDK, as counting needs. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: (
        next: (args: never) => Promise<object>,
        context: { readonly commandName?: string },
      ) => (args: never) => Promise<object>,
      options: { readonly step: 'initialize'; readonly name: string },
    ): void;
  };
}

/** Counts what a DynamoDB client is asked from now on, as writes and reads. */
export function countDynamoDbCalls(client: Client): DynamoDbCalls {
  const calls: DynamoDbCalls = { writes: 0, reads: 0 };
  client.middlewareStack.add(
    (next, context) => args => {
      if (context.commandName === 'GetItemCommand') calls.reads += 1;
      else calls.writes += 1;
      return next(args);
    },
    { step: 'initialize', name: 'countDynamoDbCalls' },
  );
  return calls;
}

/** A function with the idempotency code in it, and the calls that this code has made so far. */
export interface GuardedFunction {
  readonly what: string;
  readonly calls: DynamoDbCalls;
  /** Delivers an order to the function. */
  invoke(order: { readonly key: string }, step: () => Promise<string>): Promise<unknown>;
}

/** The costs of a function that is invoked for every delivery. @throws Error where a duplicate ran the step */
export async function costsOfFunction(fn: GuardedFunction): Promise<CostRow[]> {
  let runs = 0;
  const step = async () => `charge ${++runs}`;
  const rows: CostRow[] = [];
  for (const delivery of ['fresh', 'duplicate of a finished one'] as const) {
    const { writes, reads } = fn.calls;
    await fn.invoke({ key: 'order-1' }, step);
    const made = { writes: fn.calls.writes - writes, reads: fn.calls.reads - reads };
    const rest = { transitions: 0, expressExecutions: 0, invocations: 1, describeExecutions: 0, logBytes: 0 };
    rows.push({ what: fn.what, delivery, ...rest, ...made, awaitedInFunction: made.writes + made.reads });
  }
  if (runs !== 1) throw new Error(`${fn.what}: the step ran ${runs} times for one order`);
  return rows;
}
