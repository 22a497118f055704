import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AuthorizationType, EndpointType, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { IdempotentWorkflow, OnFailed, OnInProgress, Source } from '../../infra/index';
import type { AppOptions } from './conversation';

/**
 * The step as it is deployed: it does what `step` in the body says, and keeps no ledger. On the local stack, where time
 * is virtual, it is played by `Step`.
 */
const STEP = `exports.handler = async ({ attempt, input }) => {
  const { step = {}, ...order } = input.body;
  const fail = step.fail && attempt <= (step.failTimes ?? Infinity);
  if (fail && step.failWhen !== 'after-effect') throw Object.assign(new Error('rejected'), { name: step.fail });
  await new Promise(resolve => setTimeout(resolve, step.slowMs ?? 0));
  if (fail) throw Object.assign(new Error('rejected'), { name: step.fail });
  if (step.resultText !== undefined) return JSON.parse(step.resultText);
  const padding = step.resultBytes === undefined ? {} : { padding: 'x'.repeat(step.resultBytes) };
  return { chargeId: require('node:crypto').randomUUID(), ...order, ...padding };
};`;

/** Longer than any step takes here; with an Express workflow, as long as a request can wait for it. */
const STEP_TIME = { STANDARD: Duration.minutes(3), EXPRESS: Duration.seconds(15) };

/** The app that requests are sent to: `POST /payments`, and `POST /refunds` of a workflow of its own. */
export class FrontDoorStack extends Stack {
  constructor(app: App, id: string, options: AppOptions & { readonly needsPrincipal?: boolean } = {}) {
    super(app, id);
    const { cors, type = 'STANDARD', needsPrincipal = false } = options;
    const api = new RestApi(this, 'Api', {
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      cloudWatchRole: false,
    });
    for (const [name, path] of [
      ['Pay', 'payments'],
      ['Refund', 'refunds'],
    ] as const) {
      const workflow = new IdempotentWorkflow(this, name, {
        scope: name,
        idempotencyKey: '{% $states.input.idempotencyKey %}',
        payload: '{% $states.input.body %}',
        step: new LambdaFunction(this, `${name}Step`, {
          runtime: Runtime.NODEJS_22_X,
          handler: 'index.handler',
          code: Code.fromInline(STEP),
          timeout: STEP_TIME[type],
        }),
        removalPolicy: RemovalPolicy.DESTROY,
        ...behaviourOf(options),
      });
      workflow.startFrom(
        Source.http(api.root.addResource(path), {
          errors: { CardDeclined: 402 },
          ...(cors && { cors: { allowOrigins: [...cors] } }),
          methodOptions: {
            authorizationType: needsPrincipal ? AuthorizationType.IAM : AuthorizationType.NONE,
          },
        }),
      );
    }
  }
}

function behaviourOf(options: AppOptions) {
  const { type, onFailedBefore, onDuplicateInProgress, delivery, retentionHours } = options;
  return {
    ...(type && { type }),
    ...(onFailedBefore === 'returnStoredFailure' && { onFailedBefore: OnFailed.returnStoredFailure() }),
    ...(onDuplicateInProgress === 'wait' && {
      onDuplicateInProgress: OnInProgress.wait(Duration.minutes(1)),
    }),
    ...(delivery && { delivery }),
    ...(retentionHours !== undefined && { retention: Duration.hours(retentionHours) }),
  };
}

/** Synthesizes the app into a directory, which is its cloud assembly then. */
export function synthesizeFrontDoor(directory: string, options: AppOptions): string {
  const app = new App({ outdir: directory });
  new FrontDoorStack(app, 'FrontDoor', { ...options, needsPrincipal: true });
  return app.synth().directory;
}
