import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DescribeStateMachineCommand } from '@aws-sdk/client-sfn';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { startKey } from '../../cli/actions/start';
import { stopExecution, stopOwner } from '../../cli/actions/stop';
import { resolveStateMachine } from '../../cli/aws/find-workflow';
import { workflowOf } from '../../cli/aws/workflow';
import { Recovery, SuccessDestination } from '../../infra/index';
import { failing, noFault } from '../support/faults';
import { GRACE_MS, type Variant } from '../support/variant';
import { fails } from '../support/world';
import { type CliWorld, KEY, NOBODY, ORDER, openCliWorld, RECORD_KEY } from './world';

const AT_MOST_ONCE = { name: 'at most once', workflow: { delivery: 'at-most-once' } } as const;
const TO_A_QUEUE: Variant = {
  name: 'results to a queue',
  workflow: {},
  settings: stack => ({
    onSuccess: SuccessDestination.queue(new Queue(stack, 'R', { queueName: 'results' })),
  }),
};
const NARROW = { width: 80, isColored: false };
const DAY = 24 * 3_600_000;

describe('a table of something else with the same partition key', () => {
  test('its item is not a record: said, and nothing is written', async () => {
    const c = await openCliWorld();
    try {
      await c.aws.dynamodb.send(
        new PutItemCommand({
          TableName: c.workflow.table,
          Item: { idempotencyKey: { S: RECORD_KEY }, charges: { N: '1' } },
        }),
      );
      const theirs =
        /the item of the key "ChargePayment#order-7" in table .* is not a record of onceflow: .* Check --table/;

      await expect(c.show()).rejects.toThrow(theirs);
      expect(await c.release({ isForced: true, isDeleted: true })).toMatch(theirs);
      expect(await c.redrive()).toMatch(theirs);
      expect(await c.world.record(RECORD_KEY)).toHaveProperty('charges');
    } finally {
      await c.close();
    }
  });
});

const WITH_RECOVERY = { name: 'recovery', workflow: { recovery: Recovery.automatic() } };

describe('redrive', () => {
  let c: CliWorld;
  afterEach(() => c.close());

  test('an owner that has ended: when its step has, and not before; it resumes in its own execution', async () => {
    c = await openCliWorld();
    const owner = await c.ownerStoppedInStep();

    expect(await c.redrive()).toContain('its step might still be running, until 2026-11-20 09:00:41Z');
    await c.world.pass(GRACE_MS);
    expect(await c.redrive()).toContain('resumes where it stopped');
    await c.world.settle();
    expect(await c.world.execution(owner)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    expect(await c.redrive()).toContain('the record is COMPLETED, so ');
  });

  test('at the same moment as recovery: redriven once', async () => {
    c = await openCliWorld(WITH_RECOVERY);
    const owner = await c.ownerStoppedInStep();
    let isRedriven = false;
    c.world.faults = async (call, next) => {
      if (call.stateName === 'Redrive the owner' && !isRedriven) {
        isRedriven = true;
        expect(await c.redrive()).toContain('resumes');
      }
      return next();
    };
    await c.world.settle();

    expect(isRedriven).toBe(true);
    expect(await c.world.execution(owner)).toMatchObject({ redriveCount: 1 });
    expect(c.world.runs).toHaveLength(2);
  });

  test('a release that comes while it looks: not redriven, nothing runs beside the next owner', async () => {
    c = await openCliWorld();
    const owner = await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);
    let isReleased = false;
    c.aws.sfn.middlewareStack.add(
      (next, context) => async args => {
        if (context['commandName'] === 'GetExecutionHistoryCommand' && !isReleased) {
          isReleased = true;
          expect(await c.release({ isForced: true })).toContain('is released');
        }
        return next(args);
      },
      { step: 'initialize' },
    );

    expect(await c.redrive()).toContain('cannot be redriven: the record has changed in the meantime');
    expect(await c.world.execution(owner)).toMatchObject({ redriveCount: 0 });
    await c.world.delivered(ORDER);
    expect(c.world.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('with the token of recovery, so that two redrives of one end are one', async () => {
    c = await openCliWorld(WITH_RECOVERY);
    await c.ownerStoppedInStep();
    const tokens: unknown[] = [];
    c.world.faults = async (call, next) => {
      if (call.stateName !== 'Redrive the owner') return next();
      const { Payload } = call.arguments as { readonly Payload?: { readonly clientToken?: string } };
      tokens.push(Payload?.clientToken);
      return fails('ExecutionNotRedrivable');
    };
    await c.world.pass(GRACE_MS + 30_000);
    c.aws.sfn.middlewareStack.add(
      (next, context) => args => {
        if (context['commandName'] === 'RedriveExecutionCommand') {
          tokens.push((args.input as { readonly clientToken?: string }).clientToken);
        }
        return next(args);
      },
      { step: 'initialize' },
    );
    await c.redrive();

    expect(tokens).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), tokens[0]]);
  });

  test('no record, an owner that runs, one that is too old: rejected, each with its reason', async () => {
    c = await openCliWorld(WITH_RECOVERY);
    c.world.deliveries = async () => 'lost';
    expect(await c.redrive()).toContain('there is no record of this key');
    c.world.step = async () => c.world.never();
    const owner = await c.world.deliver(ORDER);
    await c.world.pass(1000);
    expect(await c.redrive()).toContain('is RUNNING');
    await c.world.stop(owner);
    await c.world.pass(15 * DAY);
    expect(await c.redrive()).toMatch(
      /is too old for a redrive; recovery .*; the next delivery starts recovery/,
    );
  });

  test('at most once, interrupted in its step: only when forced', async () => {
    c = await openCliWorld(AT_MOST_ONCE);
    await c.ownerStoppedInStep();
    await c.world.pass(GRACE_MS);

    expect(await c.redrive()).toContain('interrupted in its step, which would run again');
    expect(c.world.runs).toHaveLength(1);
    expect(await c.redrive(true)).toContain('resumes');
    await c.world.settle();
    expect(c.world.runs).toHaveLength(2);
  });
});

describe('a finished record whose result could not be sent', () => {
  test('is shown, and redrive sends the result and runs no step; afterwards there is nothing to do', async () => {
    const c = await openCliWorld(TO_A_QUEUE);
    c.world.faults = failing('Send result', 'SQS.SqsException');
    await c.world.delivered(ORDER);
    c.world.faults = noFault;
    await c.world.pass(GRACE_MS);

    expect(await c.show()).toMatch(/^ +sent +no, or the answer was lost: `onceflow redrive` sends it$/m);
    expect(await c.show()).toContain('was to notify the success destination of the result');
    expect(await c.redrive()).toContain('resumes where it stopped');
    await c.world.settle();
    expect(c.world.stack.queues.peek('results')).toHaveLength(1);
    expect(c.world.runs).toHaveLength(1);
    expect(await c.show()).not.toContain('the answer was lost');
    expect(await c.redrive()).toContain('the record is COMPLETED, so ');
    await c.close();
  });
});

describe('stop', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld();
  });
  afterEach(() => c.close());

  const said = (answer: Promise<{ readonly text: (style: typeof NARROW) => string }>) =>
    answer.then(
      ({ text }) => text(NARROW),
      (error: Error) => error.message,
    );

  test('the owner of a key: stopped once, and its record stays', async () => {
    c.world.step = async () => c.world.never();
    const owner = await c.world.deliver(ORDER);
    await c.world.pass(1000);

    expect(await said(stopOwner(c.context, KEY, false))).toContain('is stopped. A redrive resumes it');

    expect(await c.world.execution(owner)).toMatchObject({
      status: 'ABORTED',
      cause: 'Stopped with onceflow stop',
    });
    expect(await c.world.record(RECORD_KEY)).toMatchObject({ status: { S: 'IN_PROGRESS' } });
    expect(await said(stopOwner(c.context, KEY, false))).toContain('is not running: it is ABORTED');
  });

  test('by ARN; none, an unknown one, an Express one: rejected, each with its reason', async () => {
    expect(await said(stopOwner(c.context, KEY, false))).toContain('"ChargePayment#order-7" has no record');
    c.world.step = async () => c.world.never();
    const owner = await c.world.deliver(ORDER);
    await c.world.pass(1000);

    expect(await said(stopExecution(c.aws, `${owner}x`, false))).toContain('there is no execution');
    expect(await said(stopExecution(c.aws, owner.replace(':execution:', ':express:'), false))).toContain(
      'which Step Functions cannot stop',
    );
    expect(await said(stopExecution(c.aws, owner, false))).toContain('is stopped');
  });
});

describe('start', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld();
  });
  afterEach(() => c.close());

  const started = async (detail: object = ORDER, waitMs: number | undefined = 5000) => {
    const terminal = { ...NOBODY, readInput: () => Promise.resolve(JSON.stringify({ detail })) };
    const wanted = { key: KEY, input: '-', waitMs, isForced: false } as const;
    const answer = await startKey({ ...c.context, terminal }, wanted);
    return `${answer.code} ${answer.text(NARROW)}`;
  };

  test('a new key, then the same again: run once, and answered with its result', async () => {
    expect(await started()).toBe('0 order-7 ran the step: {"charge":1}\n');
    expect(await started()).toBe('0 the step had already been run by order-7: {"charge":1}\n');
    expect(c.world.runs).toHaveLength(1);
  });

  test('another payload: rejected, nothing was run', async () => {
    await started();

    await expect(started({ ...ORDER, amount: 1 })).rejects.toMatchObject({
      code: 1,
      message: expect.stringMatching(
        /^--input was rejected with Idempotency\.PayloadMismatch: .* another payload\. Nothing was run/,
      ),
      json: {
        outcome: 'rejected',
        executionArn: expect.stringContaining(':order-7-'),
        error: 'Idempotency.PayloadMismatch',
        cause: expect.stringContaining('"message"'),
      },
    });
    expect(c.world.runs).toHaveLength(1);
  });

  test('another payload, where the record keeps what was asked: rejected with the fields that differ', async () => {
    const kept = await openCliWorld({ name: 'payload kept', workflow: { keepPayload: true } });
    try {
      const startedWith = (detail: object) => {
        const terminal = { ...NOBODY, readInput: () => Promise.resolve(JSON.stringify({ detail })) };
        const wanted = { key: KEY, input: '-', waitMs: 5000, isForced: false } as const;
        return startKey({ ...kept.context, terminal }, wanted);
      };
      await startedWith(ORDER);

      await expect(startedWith({ ...ORDER, amount: 99 })).rejects.toThrow(
        /another payload \(differs in amount\)\. Nothing was run/,
      );
    } finally {
      await kept.close();
    }
  });

  test('an Express workflow: run when it is answered, also without a request to wait', async () => {
    const express = await openCliWorld({ name: 'express', workflow: { type: 'EXPRESS' } });
    try {
      express.aws.sfn.config.disableHostPrefix = true;
      const terminal = { ...NOBODY, readInput: () => Promise.resolve(JSON.stringify({ detail: ORDER })) };
      const wanted = { key: KEY, input: '-', waitMs: undefined, isForced: false } as const;
      const answer = await startKey({ ...express.context, terminal }, wanted);

      expect(answer.text(NARROW)).toMatch(/ran the step: \{"charge":1\}\n$/);
    } finally {
      await express.close();
    }
  });

  test('a step that fails: said, with its error', async () => {
    c.world.step = () => fails('CardDeclined', 'no');

    expect(await started()).toBe('1 order-7 failed with CardDeclined: no\n');
  });
});

describe('which workflow is meant', () => {
  let c: CliWorld;
  beforeAll(async () => {
    c = await openCliWorld();
  });
  afterAll(() => c.close());

  const arn = () => c.workflow.stateMachineArn;
  const resolved = async (stateMachine?: string, stack?: string, scope?: string) =>
    (await resolveStateMachine(c.aws, { stateMachine, stack, scope })).stateMachineArn;
  const NO_OVERRIDES = { table: undefined, scope: undefined, stepTimeoutMs: undefined };

  test('nothing said, the stack, the name, the ARN: the one that there is, dispatchers left out', async () => {
    expect(await resolved()).toBe(arn());
    expect(await resolved(undefined, 'OnceflowPayments')).toBe(arn());
    expect(await resolved(c.workflow.name)).toBe(arn());
    expect(await resolved(`${arn()}:7`)).toBe(arn());
  });

  test('its definition has the table, the scope, and all that a command needs', () => {
    expect(c.workflow).toMatchObject({
      type: 'STANDARD',
      table: c.world.stack.output('RecordTableName'),
      scope: 'ChargePayment',
      prefix: '',
      stepTimeoutMs: GRACE_MS,
      failedRetentionSeconds: 90 * 24 * 3600,
      isAtMostOnce: false,
      returnsStoredFailure: false,
    });
  });

  test('what the command line says counts more', async () => {
    const overrides = { table: 'T', scope: 'S', stepTimeoutMs: 1 };
    expect(await workflowOf(c.aws, `${arn()}:7`, overrides)).toMatchObject({
      ...overrides,
      stateMachineArn: arn(),
    });
  });

  test('several: their names, on one line', async () => {
    const machine = { name: 'A', stateMachineArn: arn() };
    const stateMachines = [machine, { ...machine, name: 'B' }];
    const send = async (request: { readonly input: object }) =>
      'maxResults' in request.input
        ? { stateMachines }
        : c.aws.sfn.send(new DescribeStateMachineCommand({ stateMachineArn: arn() }));
    const aws = { ...c.aws, sfn: { send } as never };

    await expect(
      resolveStateMachine(aws, {
        stateMachine: undefined,
        stack: undefined,
        scope: undefined,
      }),
    ).rejects.toThrow(
      /has several workflows\. Select one with --state-machine, --stack or --scope: A \(scope ChargePayment\), B \(scope ChargePayment\)$/,
    );
  });

  test('one that is not there, a stack without any, one that is none of ours: said', async () => {
    await expect(resolved('Nobody')).rejects.toThrow(
      'there is no state machine Nobody in this region and account',
    );
    await expect(resolved(undefined, 'Nobody')).rejects.toThrow(
      'the stack Nobody has no workflow of onceflow',
    );
    const dispatcher =
      c.world.stack.assembly.stateMachines.find(({ name }) => /Dispatcher/.test(name))?.arn ?? '';
    await expect(workflowOf(c.aws, dispatcher, NO_OVERRIDES)).rejects.toThrow(
      /is not a workflow of onceflow, because it has no/,
    );
    await expect(workflowOf(c.aws, `${arn()}x`, NO_OVERRIDES)).rejects.toThrow(
      /there is no state machine arn:/,
    );
  });
});
