import type { Interceptor, Json, JsonObject, ServiceCall, ServiceResult } from '@onceflow/local';
import type { Effects, Fault } from './conversation';

/** What the body of a request instructs the step to do. */
interface StepInstructions {
  readonly slowMs?: number;
  readonly fail?: string;
  readonly failTimes?: number;
  readonly failWhen?: 'before-effect' | 'after-effect';
  readonly resultText?: string;
  readonly resultBytes?: number;
}

/** What the step and the faults need of the stack that they are played on. */
export interface Stage {
  pause(ms: number): Promise<void>;
  stop(executionArn: string): Promise<unknown>;
  /** An answer that never comes. */
  lose(): Promise<never>;
}

/** The state of the workflow that runs the step. */
export const BUSINESS_STEP = 'Business step';

/** Plays the business step of the reference app, keeps the ledger, and injects the fault of the request under way. */
export class Step {
  /** The faults of the calls from now on. */
  fault: Fault | undefined;
  /** Counts faults that happen once. */
  #isDone = false;
  readonly #stage: Stage;
  /** The charges of each workflow, by its name. */
  readonly #charges = new Map<string, number>();
  readonly #runs = new Map<string, { total: number; open: number }>();
  #atOnce = 0;
  #nextCharge = 1;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** From now on with this fault. */
  begin(fault: Fault | undefined): void {
    this.fault = fault;
    this.#isDone = false;
  }

  readonly interceptor: Interceptor = async (call, next) => {
    if (call.stateName === BUSINESS_STEP) return this.#run(call);
    const isStart = call.executionArn.includes(':express:') && /start(Sync)?Execution$/i.test(call.resource);
    if (!isStart || this.fault === undefined) return next();
    switch (this.fault) {
      case 'start-throttled':
        return rejected(call, 'ThrottlingException', 'Rate exceeded');
      case 'start-answer-lost':
        return this.#once(next, () => rejected(call, 'SdkClientException', 'the connection was lost'));
      case 'front-door-stopped-after-start':
        // No Retry and no Catch takes this error: the execution ends.
        return this.#once(next, () => ({ kind: 'failed', error: 'States.Runtime', cause: 'stopped' }));
      default:
        return next();
    }
  };

  async #once(next: () => Promise<ServiceResult>, answer: () => ServiceResult): Promise<ServiceResult> {
    const real = await next();
    if (this.#isDone) return real;
    this.#isDone = true;
    return answer();
  }

  async #run(call: ServiceCall): Promise<ServiceResult> {
    const { Payload } = call.arguments as unknown as {
      readonly Payload: { readonly idempotencyKey: string; readonly input: { readonly body: JsonObject } };
    };
    const { step = {}, ...order } = Payload.input.body;
    const orders = step as StepInstructions;
    const key = `${workflowOf(call.executionArn)} ${JSON.stringify(Payload.idempotencyKey)}`;
    const runs = this.#runs.get(key) ?? { total: 0, open: 0 };
    this.#runs.set(key, runs);
    runs.total += 1;
    runs.open += 1;
    this.#atOnce = Math.max(this.#atOnce, runs.open);
    if (this.fault === 'workflow-stopped-in-step' && !this.#isDone) {
      this.#isDone = true;
      void this.#stage.stop(call.executionArn);
    }
    try {
      return await this.#perform(call, orders, order, runs.total);
    } finally {
      runs.open -= 1;
    }
  }

  async #perform(
    { executionArn }: ServiceCall,
    {
      slowMs = 0,
      fail,
      failTimes = Number.POSITIVE_INFINITY,
      failWhen,
      resultText,
      resultBytes,
    }: StepInstructions,
    order: JsonObject,
    run: number,
  ): Promise<ServiceResult> {
    const isFailing = fail !== undefined && run <= failTimes;
    if (isFailing && failWhen !== 'after-effect') return failed(fail);
    if (slowMs > 0) await this.#stage.pause(slowMs);
    const workflow = workflowOf(executionArn);
    this.#charges.set(workflow, (this.#charges.get(workflow) ?? 0) + 1);
    if (isFailing) return failed(fail);
    if (resultText !== undefined) return succeeded(JSON.parse(resultText));
    const chargeId = `charge-${this.#nextCharge}`;
    this.#nextCharge += 1;
    return succeeded({
      chargeId,
      ...order,
      ...(resultBytes !== undefined && { padding: 'x'.repeat(resultBytes) }),
    });
  }

  /** The events so far. */
  get effects(): Required<Omit<Effects, 'chargesMin' | 'chargesMax'>> {
    const runs = [...this.#runs.values()];
    return {
      charges: this.#charges.get('Pay') ?? 0,
      refunds: this.#charges.get('Refund') ?? 0,
      stepRuns: runs.reduce((sum, { total }) => sum + total, 0),
      stepKeys: runs.length,
      atOnce: this.#atOnce,
    };
  }
}

function workflowOf(executionArn: string): 'Pay' | 'Refund' {
  return executionArn.includes('-Refund') ? 'Refund' : 'Pay';
}

function succeeded(result: Json): ServiceResult {
  return {
    kind: 'succeeded',
    output: { ExecutedVersion: '$LATEST', Payload: result, StatusCode: 200 },
  };
}

function failed(error: string): ServiceResult {
  const trace = [`${error}: rejected`, '    at Object.handler (/var/task/index.js:1:1)'];
  return {
    kind: 'failed',
    error,
    cause: JSON.stringify({ errorType: error, errorMessage: 'rejected', trace }),
  };
}

function rejected({ resource }: ServiceCall, error: string, cause: string): ServiceResult {
  const service = resource.startsWith('aws-sdk:') ? 'Sfn' : 'StepFunctions';
  return { kind: 'failed', error: `${service}.${error}`, cause };
}
