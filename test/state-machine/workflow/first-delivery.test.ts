import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dataOf } from '../../../packages/local/asl/data';
import { type Execution, type Machine, newExecution } from '../../../packages/local/engine/execution';
import type { Signal } from '../../../packages/local/engine/signals';
import { transition } from '../../../packages/local/engine/transition';
import type { TransitionContext } from '../../../packages/local/engine/turn';
import type { Json, JsonObject } from '../../../packages/local/json/json';
import { type ExpressionResult, evaluate } from '../../../packages/local/jsonata/jsonata';
import type { Variables } from '../../../packages/local/jsonata/scope';
import { exploredMachine } from '../../../proof/explore/model/subject';
import { evaluate206 } from '../../support/evaluate';

const NOW = Date.parse('2026-11-20T09:00:00Z');
const GOLDEN = path.join(__dirname, '../../golden/payload-and-retention.asl.json');

/** An implementation of JSONata, with its own words for what it cannot evaluate. */
type Engine = (source: string, seen: Variables) => Promise<ExpressionResult>;

const ours: Engine = (source, { states, variables }) => {
  const evaluationContext = { now: NOW, random: () => 0.5, uuid: () => 'uuid' };
  return evaluate(source, { states, variables, evaluationContext });
};

const ENGINES: Readonly<Record<string, Engine>> = {
  'our own': ours,
  'jsonata 2.0.6': async (source, { states, variables }) => {
    const evaluation = await evaluate206(`{%${source}%}`, { ...variables, states }, NOW);
    if ('value' in evaluation && evaluation.value !== undefined)
      return { kind: 'value', value: evaluation.value as Json };
    return { kind: 'failed', problem: 'thrown' in evaluation ? evaluation.thrown : 'undefined' };
  },
  'one that says nothing': async (source, seen) => {
    const result = await ours(source, seen);
    return result.kind === 'value' ? result : { kind: 'failed', problem: '' };
  },
  'one whose words are those of another failure': async (source, seen) => {
    const result = await ours(source, seen);
    const words = "for the field 'Assign/attempt' or 'Arguments/Item/payloadHash' T2001: no idempotency key";
    return result.kind === 'value' ? result : { kind: 'failed', problem: words };
  },
};

class Unevaluated {
  constructor(
    readonly source: string,
    readonly seen: Variables,
  ) {}
}

/** One transition, in which each expression has the value that the engine gives it. */
async function made(machine: Machine, execution: Execution, signal: Signal, engine: Engine) {
  const results: ExpressionResult[] = [];
  for (;;) {
    let count = 0;
    const context: TransitionContext = {
      now: NOW,
      random: () => 0.5,
      uuid: () => 'uuid',
      evaluate(source, seen) {
        const result = results[count++];
        if (!result) throw new Unevaluated(source, seen);
        return result;
      },
    };
    try {
      return transition(machine, execution, signal, context);
    } catch (missing) {
      if (!(missing instanceof Unevaluated)) throw missing;
      results.push(await engine(missing.source, missing.seen));
    }
  }
}

/** What an execution comes to on an empty table, with every retry at once. */
async function endOf(definition: JsonObject, input: Json, engine: Engine) {
  const read = exploredMachine(JSON.stringify(definition), {
    arn: 'arn:aws:states:us-east-1:111111111111:stateMachine:Pay',
    name: 'Pay',
    type: 'STANDARD',
    roleArn: '',
  });
  if (read.kind === 'problem') throw new Error(read.message);
  const { machine } = read.machine;
  const states: string[] = [];
  let item: Json | undefined;
  let execution = newExecution({
    arn: 'arn:aws:states:us-east-1:111111111111:execution:Pay:1',
    name: '1',
    input: dataOf(input),
    startedAt: NOW,
    kind: 'STANDARD',
  });
  let signal: Signal = { kind: 'started' };
  while (execution.status === 'RUNNING') {
    const next = await made(machine, execution, signal, engine);
    execution = next.execution;
    for (const { type, name } of next.events) if (type.endsWith('StateEntered')) states.push(name ?? '');
    for (const effect of next.effects) {
      if (effect.kind === 'setTimer') signal = { kind: 'timerDue', timerId: effect.timerId };
      if (effect.kind !== 'call') continue;
      const given = effect.arguments as { readonly Item?: Json };
      item = given.Item ?? item;
      const output: JsonObject =
        effect.resource === 'dynamodb:getItem' && item !== undefined ? { Item: item } : {};
      signal = { kind: 'taskSucceeded', taskId: effect.taskId, output };
    }
  }
  return { states, end: execution.end?.error };
}

describe('why a claim failed, whatever the service says', () => {
  const shipped = JSON.parse(readFileSync(GOLDEN, 'utf8')) as JsonObject;
  const ORDER = { id: 'order-7', amount: 12.5 };
  const neverAssigned = JSON.parse(JSON.stringify(shipped)) as {
    States: Record<string, { Assign: Record<string, Json> }>;
  };
  Object.assign(neverAssigned.States['Claim record']?.Assign ?? {}, { attempt: "{% $error('always') %}" });
  const TRIED = ['Claim record', 'Check the key', 'Why did the claim fail?'];

  test.each(Object.keys(ENGINES))('%s: the same states, and the same errors', async name => {
    const engine = ENGINES[name] as Engine;

    expect(await endOf(shipped, { amount: 12.5 }, engine)).toEqual({
      states: ['Claim record', 'Check the key', 'Missing key'],
      end: 'Idempotency.InvalidEvent',
    });
    expect(await endOf(shipped, { ...ORDER, amount: '\ud83d' }, engine)).toEqual({
      states: [...TRIED, ...TRIED, ...TRIED, 'Invalid payload'],
      end: 'Idempotency.InvalidEvent',
    });
    expect(await endOf(neverAssigned as unknown as JsonObject, ORDER, engine)).toEqual({
      states: [...TRIED, ...TRIED, ...TRIED, 'Claim contended'],
      end: 'Idempotency.ClaimContended',
    });
  });
});

describe("AWS's texts", () => {
  test('no state decides by them, but for a permission of Lambda that is missing', () => {
    const { States } = JSON.parse(readFileSync(GOLDEN, 'utf8')) as {
      readonly States: Readonly<Record<string, JsonObject>>;
    };
    // Variables that hold such a text, and the conditions that read one of them.
    const holders = [...JSON.stringify(States).matchAll(/"(\w+)":"\{% [^"]*\$states\.errorOutput\.Cause/g)];
    const names = [...new Set(holders.map(([, name = '']) => name))];
    const readers = Object.entries(States).flatMap(([state, { Choices = [] }]) =>
      (Choices as readonly { readonly Condition: string }[])
        .filter(({ Condition }) => names.some(name => Condition.includes(`$${name}`)))
        .map(() => state),
    );

    expect(names.sort()).toEqual(['evaluationError', 'failure', 'serviceError']);
    expect(readers).toEqual(['Is the outcome certain?']);
  });
});
