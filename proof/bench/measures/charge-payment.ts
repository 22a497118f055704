import type { Json, JsonObject } from '@onceflow/local';
import { loadAssembly } from '../../../packages/local/load-assembly';
import type { Service } from '../../../packages/local/runtime/calls/service';
import { memoryTable } from '../../../packages/local/services/dynamodb/table/memory-table';
import { print, timed } from './measure';
import { orderEvent } from './order-event';
import { openBench } from './runtime';

// The reference app's workflow with everything it calls in memory. Arguments: how many executions to time, the folder
// of the synthesized assembly, and whether every order is `fresh` or a `duplicate` of one that is done.

const executions = Number(process.argv[2]);
const assemblyFolder = process.argv[3] ?? '';
const isFresh = process.argv[4] === 'fresh';

async function measure(): Promise<void> {
  const loaded = loadAssembly(assemblyFolder);
  if (loaded.kind === 'problems') throw new Error(JSON.stringify(loaded.problems));
  const machine = loaded.assembly.stateMachines.find(({ type }) => type !== 'EXPRESS');
  if (!machine) throw new Error(`no state machine in ${assemblyFolder}`);
  const services = new Map([
    ...memoryTable('idempotencyKey'),
    ['lambda:invoke', charge] as const,
    ['aws-sdk:sfn:describeExecution', notNeeded] as const,
    ['aws-sdk:sfn:startExecution', notNeeded] as const,
  ]);
  const bench = openBench(machine.definitionText, services);
  let arns: string[] = [];
  let orders = 0;
  const result = await timed(executions, executions, async count => {
    const first = isFresh ? orders : 0;
    if (isFresh || orders === 0) orders += count;
    arns = await bench.run(Array.from({ length: count }, (_, index) => orderEvent(first + index)));
  });
  print({ ...result, events: await bench.countEvents(arns) });
}

/** Answers as the business function does, without a ledger. */
const charge: Service = {
  async call(call) {
    const { Payload } = call.arguments as { readonly Payload: JsonObject };
    const { detail } = Payload['input'] as { readonly detail: JsonObject };
    const receipt: Json = {
      chargeId: 'charge',
      orderId: detail['orderId'] ?? null,
      amount: detail['amount'] ?? null,
    };
    return { kind: 'succeeded', output: { ExecutedVersion: '$LATEST', Payload: receipt, StatusCode: 200 } };
  },
};

/** Needed only to read an oversized result, or to call recovery: neither occurs here. */
const notNeeded: Service = {
  call: async () => ({
    kind: 'failed',
    error: 'Bench.NotNeeded',
    cause: 'the bench has no ended owner, and no result that large',
  }),
};

void measure();
