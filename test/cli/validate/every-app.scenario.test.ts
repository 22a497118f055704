import { App, Duration, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { clientsFor } from '../../../cli/aws/clients';
import { Questions } from '../../../cli/validate/ask';
import { rowsOf } from '../../../cli/validate/rows';
import {
  FailureDestination,
  IdempotentFragment,
  OnInProgress,
  RecordTable,
  Recovery,
  Results,
  SuccessDestination,
} from '../../../infra/index';
import { readAssembly } from '../../../packages/local/index';
import { assemblyOf } from '../../support/assembly';
import { everySource } from '../../support/every-source';
import { newDirectory } from '../../support/shared';
import { someFunction } from '../../support/synthesize';
import { openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ name: 'reference' }, { port: 0 });
}, 60_000);
afterAll(() => world.close());

/** An app with every source, and every option that adds a state. */
function everyApp(): string {
  const app = new App({ outdir: newDirectory(), context: { 'aws:cdk:bundling-stacks': [] } });
  const [least, most, express] = ['AtLeastOnce', 'AtMostOnce', 'Express'].map(id => new Stack(app, id)) as [
    Stack,
    Stack,
    Stack,
  ];
  const all = (stack: Stack) => ({
    encryptionKey: new Key(stack, 'Key'),
    results: Results.inBucket(new Bucket(stack, 'Results')),
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures')),
    onSuccess: SuccessDestination.eventBus(new EventBus(stack, 'Successes')),
    payload: '{% $exists($states.input.source) ? $states.input.source : $states.input.eventSource %}',
    metrics: true,
  });
  everySource(least, {
    ...all(least),
    recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 5 } }),
    onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5)),
  });
  everySource(most, { ...all(most), delivery: 'at-most-once' });
  everySource(express, { type: 'EXPRESS' });
  machineOfATeam(new Stack(app, 'Team'));
  return app.synth().directory;
}

/** A state machine with a fragment, and its recovery. */
function machineOfATeam(stack: Stack): void {
  const fragment = new IdempotentFragment(stack, 'Reserve', {
    table: new RecordTable(stack, 'Records'),
    idempotencyKey: '{% $states.input.orderId %}',
    step: someFunction(stack, { timeout: Duration.seconds(10) }),
  });
  const machine = new StateMachine(stack, 'Orders', {
    queryLanguage: QueryLanguage.JSONATA,
    definitionBody: DefinitionBody.fromChainable(fragment),
  });
  fragment.grantTo(machine);
  Recovery.of(machine);
}

/** The rows of an app at the local endpoint that are not confirmed. */
async function notConfirmed(directory: string): Promise<readonly string[]> {
  const { stateMachines } = readAssembly(directory);
  const { signal } = new AbortController();
  const aws = clientsFor({ endpoint: world.stack.endpoint, region: undefined }, {}, signal);
  const rows = await rowsOf(stateMachines, new Questions(aws.sfn, signal), () => undefined);
  aws.close();
  return rows
    .filter(row => row.verdict !== 'confirmed')
    .map(({ machine, claim, verdict, detail }) => `${verdict} ${machine}: ${claim}: ${detail}`);
}

test.each([
  ['the reference app', () => assemblyOf({ name: 'reference' })],
  ['an app with every source and option', everyApp],
])(
  'no row of %s is unknown or rejected',
  async (_, app) => {
    expect(await notConfirmed(app())).toEqual([]);
  },
  300_000,
);
