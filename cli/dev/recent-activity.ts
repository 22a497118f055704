import type { FunctionItem, RuleDelivery } from '@onceflow/console';
import type { DeliveryInterceptor, FunctionInvocation } from '@onceflow/local';

/** So much is kept of each function, and of deliveries; more is in the history of none. */
const INVOCATIONS_MAX = 50;
const LINES_MAX = 200;
const DELIVERIES_MAX = 200;
const CHARACTERS_MAX = 400;

type Invocations = FunctionItem['invocations'];

/** What functions and rules did lately, over restarts of the stack. In memory alone. */
export class RecentActivity {
  readonly #now: () => number;
  readonly #invocations = new Map<string, Invocations[number][]>();
  readonly #counts = new Map<string, number>();
  readonly #lines = new Map<string, string[]>();
  readonly #deliveries: RuleDelivery[] = [];

  /** `now` gives the stack's time, in epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** What a function did, newest first, and what it wrote, oldest first. */
  of(functionName: string): Pick<FunctionItem, 'invocations' | 'lines' | 'invoked'> {
    return {
      invoked: this.#counts.get(functionName) ?? 0,
      invocations: this.#invocations.get(functionName) ?? [],
      lines: this.#lines.get(functionName) ?? [],
    };
  }

  /** Newest first. */
  get deliveries(): readonly RuleDelivery[] {
    return this.#deliveries;
  }

  addLine(functionName: string, text: string): void {
    const lines = this.#lines.get(functionName) ?? [];
    lines.push(shortened(text));
    if (lines.length > LINES_MAX) lines.shift();
    this.#lines.set(functionName, lines);
  }

  addInvocation({ functionName, requestId, begunAt, endedAt, error }: FunctionInvocation): void {
    const invocations = this.#invocations.get(functionName) ?? [];
    invocations.unshift({ requestId, at: begunAt, tookMs: endedAt - begunAt, error: error ?? null });
    if (invocations.length > INVOCATIONS_MAX) invocations.pop();
    this.#invocations.set(functionName, invocations);
    this.#counts.set(functionName, (this.#counts.get(functionName) ?? 0) + 1);
  }

  /** Stands between rules and targets, and only looks on. */
  readonly deliveryInterceptor: DeliveryInterceptor = async (attempt, next) => {
    const { ruleArn, targetArn, input, retryCount } = attempt;
    const of = {
      at: this.#now(),
      rule: ruleArn.split('/').at(-1) ?? ruleArn,
      target: targetArn.split(/[:/]/).at(-1) ?? targetArn,
      input: shortened(input),
      retryCount,
    };
    try {
      const answer = await next();
      this.#addDelivery({ ...of, error: null });
      return answer;
    } catch (error) {
      this.#addDelivery({ ...of, error: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  };

  #addDelivery(delivery: RuleDelivery): void {
    this.#deliveries.unshift(delivery);
    if (this.#deliveries.length > DELIVERIES_MAX) this.#deliveries.pop();
  }
}

function shortened(text: string): string {
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)} …` : text;
}
