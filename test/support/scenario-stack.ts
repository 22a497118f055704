import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  type IWorkflowSource,
  Source,
} from '../../infra/index';

/** The workflow of the reference app, or one that differs from it in some settings. */
export interface Variant {
  /** Tells variants apart: each is synthesized once per test file. */
  readonly name: string;
  readonly workflow?: Partial<IdempotentWorkflowProps>;
  /** Bundles the functions of the package, where they are to run. */
  readonly bundles?: boolean;
  /** What starts the workflow beside the tests. @default - orders from the bus */
  readonly source?: IWorkflowSource;
  /** Adds to the stack, behind the workflow. */
  readonly more?: (stack: Stack, workflow: IdempotentWorkflow) => void;
}

const assemblies = new Map<string, string>();

// Once per test file, as the file imports this.
afterAll(() => {
  for (const directory of assemblies.values()) rmSync(directory, { recursive: true, force: true });
});

/** The directory of a variant's assembly. The step is not bundled: its answers come from a script. */
export function assemblyOf(variant: Variant): string {
  const known = assemblies.get(variant.name);
  if (known !== undefined) return known;
  const outdir = mkdtempSync(path.join(tmpdir(), 'onceflow-world-'));
  const app = new App({ outdir, context: variant.bundles ? {} : { 'aws:cdk:bundling-stacks': [] } });
  define(new Stack(app, 'OnceflowPayments'), variant);
  app.synth();
  assemblies.set(variant.name, outdir);
  return outdir;
}

/** How long the step's function may run in every variant. */
export const STEP_TIMEOUT = Duration.seconds(10);

function define(stack: Stack, { workflow, source, more }: Variant): void {
  const orders = new EventBus(stack, 'Orders');
  const step = new LambdaFunction(stack, 'ChargePaymentFunction', {
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromAsset(path.join(__dirname, '../../functions/charge-payment')),
    timeout: STEP_TIMEOUT,
  });
  const payments = new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey: '{% $states.input.detail.orderId %}',
    payload: "{% $states.input.detail.{'amount': amount, 'currency': currency} %}",
    step,
    ...workflow,
  });
  payments.startFrom(
    source ?? Source.eventBridge(orders, { source: ['shop.orders'], detailType: ['OrderPlaced'] }),
  );
  more?.(stack, payments);
  new CfnOutput(stack, 'StateMachineArn', { value: payments.stateMachine.stateMachineArn });
  new CfnOutput(stack, 'RecordTableName', { value: payments.table.tableName });
  new CfnOutput(stack, 'EventBusName', { value: orders.eventBusName });
}
