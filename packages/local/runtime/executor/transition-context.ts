import type { TransitionContext } from '../../engine/index';
import type { Json } from '../../json/json';
import {
  type EvaluationContext,
  type ExpressionResult,
  evaluateAtOnce,
  type Variables,
  variablesIn,
} from '../../language/index';
import type { Service } from '../calls/service';
import type { Activities } from '../catalogue/activities';
import type { Evaluator } from '../evaluation/evaluator';
import type { EvaluationJob } from '../evaluation/job';
import type { Ids } from '../ids';
import type { Clock } from '../time/clock';

/** Milliseconds after which a transition lets other executions go on, and reads the time anew. */
const TURN_MS_MAX = 20;

/** What ends a transition that needs a value which is not there yet. */
export class NotEvaluated {
  readonly job: EvaluationJob;

  constructor(job: EvaluationJob) {
    this.job = job;
  }
}

/** What transitions draw on. */
export interface TransitionServices {
  readonly clock: Clock;
  /** @default - any there may be */
  readonly activities?: Pick<Activities, 'find'>;
  /** By integration, what rejects parameters before a call is made of them. @default - nothing does */
  readonly services?: { get(integration: string): Pick<Service, 'rejectionOf'> | undefined };
  readonly ids: Ids;
  readonly evaluator: Evaluator;
}

/**
 * Time, randomness and the values of expressions for one transition. Ids and random numbers come from a source of the
 * transition's own, so that neither other executions nor a restart change them. Most transitions need none.
 *
 * On a clock that runs on its own an expression may need a value that is not available at once. `evaluate` then throws
 * `NotEvaluated`, and the transition is repeated with the same context after `answer`. It asks the same questions in
 * the same order then, and draws the same.
 */
export class RuntimeTransitionContext implements TransitionContext, EvaluationContext {
  readonly now: number;
  readonly #sources: TransitionServices;
  readonly #label: () => string;
  #answers: Map<number, ExpressionResult> | undefined;
  #draws: unknown[] | undefined;
  #evaluations = 0;
  #drawn = 0;
  #own: Ids | undefined;

  /** `label` names the transition, the same in every run. */
  constructor(sources: TransitionServices, label: () => string) {
    this.now = sources.clock.now();
    this.#sources = sources;
    this.#label = label;
  }

  /**
   * On a clock that stands still only states are counted, so that histories come out the same twice. After an answer it
   * is always time: what has been worked out so far is not to be worked out again for the next one.
   */
  isTimeUp(): boolean {
    const { clock } = this.#sources;
    return this.#answers !== undefined || (clock.isReal === true && clock.now() - this.now >= TURN_MS_MAX);
  }

  hasActivity(arn: string): boolean {
    const { activities } = this.#sources;
    return activities === undefined || activities.find(arn) !== undefined;
  }

  rejectionOf(integration: string, parameters: Json): string | undefined {
    return this.#sources.services?.get(integration)?.rejectionOf?.(parameters);
  }

  random(): number {
    return this.#draw(ids => ids.random());
  }

  uuid(): string {
    return this.#draw(ids => ids.uuid());
  }

  /** @throws NotEvaluated where the value is not to be had at once */
  evaluate(source: string, seen: Variables): ExpressionResult {
    this.#evaluations += 1;
    const number = this.#evaluations;
    const known = this.#answers?.get(number);
    if (known) return known;
    const before = this.#drawn;
    const { states, variables } = seen;
    const result = evaluateAtOnce(source, { states, variables, evaluationContext: this });
    if (result) return result;
    // Numbers of an evaluation that did not end are drawn again.
    if (this.#draws) this.#draws.length = before;
    this.#drawn = before;
    const job = this.#jobFor(number, source, seen);
    if (this.#sources.clock.isReal !== true) return this.#sources.evaluator.evaluateAndWait(job);
    throw new NotEvaluated(job);
  }

  /** Makes the context ready for the transition to be made again, with the value that was missing. */
  answer(result: ExpressionResult): void {
    this.#answers ??= new Map();
    this.#answers.set(this.#evaluations, result);
    this.#evaluations = 0;
    this.#drawn = 0;
  }

  #jobFor(number: number, source: string, { states, variables }: Variables): EvaluationJob {
    const seed = this.#sources.ids.fork(`${this.#label()}/${number}`).uuid();
    return { source, states, variables: variablesIn(source, variables), now: this.now, seed };
  }

  /** The same in each attempt of the transition. */
  #draw<Drawn>(from: (ids: Ids) => Drawn): Drawn {
    this.#draws ??= [];
    if (this.#drawn === this.#draws.length) {
      this.#own ??= this.#sources.ids.fork(this.#label());
      this.#draws.push(from(this.#own));
    }
    this.#drawn += 1;
    return this.#draws[this.#drawn - 1] as Drawn;
  }
}
