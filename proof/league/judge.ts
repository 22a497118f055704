import { AMOUNT, type Answer, type Effect, type Play } from './world/play';

/** What one schedule came to, as numbers that add up. */
export interface Outcome {
  readonly deliveries: number;
  /** Effects beyond the first, at a provider that forgets, and at one that honours keys for a day. */
  readonly doubled: number;
  readonly doubledAtProvider: number;
  /** Events that were accepted, have no effect, and were not reported. */
  readonly lost: number;
  /** Events that were not completed an hour after the last fault. */
  readonly overdue: number;
  /** Answers that it is done when it was not, to duplicates with another result than before, or against the record. */
  readonly wrongAnswers: number;
  /** Deliveries with another payload that were worked off, or taken for the event. */
  readonly letThrough: number;
  /** Events that were reported to an operator and have no effect. */
  readonly reported: number;
}

/** The figures of an outcome that count failures. */
export const FAILURES = [
  'doubled',
  'doubledAtProvider',
  'lost',
  'overdue',
  'wrongAnswers',
  'letThrough',
] as const;
/** The name of a figure that counts failures. */
export type Failure = (typeof FAILURES)[number];

/** For so long a provider remembers keys: Stripe's, "at least 24 hours". */
const PROVIDER_REMEMBERS_MS = 24 * 3600 * 1000;
/** A key is overdue if it is not completed this long after the last fault. */
const OVERDUE_AFTER_MS = 3600 * 1000;

/** Judges what was played. `reported` are the keys that were reported to an operator in the end. */
export function judge(play: Play, reported: ReadonlySet<string>): Outcome {
  const keys = [play.key, ...besideKeys(play)];
  const all = keys.map(key => judgeKey(play, key, reported.has(key)));
  const sum = (name: keyof Outcome) => all.reduce((total, outcome) => total + outcome[name], 0);
  return {
    deliveries: play.schedule.deliveries.length + play.schedule.beside,
    doubled: sum('doubled'),
    doubledAtProvider: sum('doubledAtProvider'),
    lost: sum('lost'),
    overdue: sum('overdue'),
    wrongAnswers: sum('wrongAnswers'),
    letThrough: sum('letThrough'),
    reported: sum('reported'),
  };
}

/** The keys of the events beside. */
export function besideKeys({ key, schedule }: Pick<Play, 'key' | 'schedule'>): readonly string[] {
  return Array.from({ length: schedule.beside }, (_, index) => `${key}-beside-${index + 1}`);
}

function judgeKey(play: Play, key: string, isReported: boolean): Outcome {
  const effects = play.effects.filter(effect => effect.key === key);
  const answers = play.answers.filter(answer => answer.key === key);
  const [first] = effects;
  const others = new Set(
    play.schedule.deliveries.flatMap(({ isOther }, index) => (isOther && key === play.key ? index : [])),
  );
  // With two payloads the key is that of the one whose effect came first.
  const ownAmount = first?.amount ?? AMOUNT;
  const own = effects.filter(({ amount }) => amount === ownAmount);
  const foreign = (delivery: number | undefined) =>
    delivery !== undefined && others.has(delivery) !== (ownAmount !== AMOUNT);
  // One that always fails has no end to come to; those beside it have.
  const hasNoEnd = play.schedule.failures === undefined && key === play.key;
  const given = answers.filter(({ delivery }) => !foreign(delivery));
  return {
    deliveries: 0,
    doubled: Math.max(0, own.length - 1),
    doubledAtProvider: doubledAtProvider(own),
    lost: first === undefined && !isReported ? 1 : 0,
    overdue: !hasNoEnd && isOverdue(play, { first, answers, isReported }) ? 1 : 0,
    wrongAnswers: given.filter(answer => isWrong(answer, effects, given)).length,
    letThrough:
      others.size === 0
        ? 0
        : new Set(
            answers.flatMap(({ delivery, kind }) =>
              foreign(delivery) && isDone({ kind }) ? [delivery] : [],
            ),
          ).size,
    reported: isReported && first === undefined ? 1 : 0,
  };
}

function doubledAtProvider(effects: readonly Effect[]): number {
  let rememberedUntil = Number.NEGATIVE_INFINITY;
  let charges = 0;
  for (const { at } of effects) {
    if (at < rememberedUntil) continue;
    charges += 1;
    rememberedUntil = at + PROVIDER_REMEMBERS_MS;
  }
  return Math.max(0, charges - 1);
}

function isOverdue(
  { lastFaultAt, startedAt, isWaiting }: Play,
  {
    first,
    answers,
    isReported,
  }: {
    readonly first: Effect | undefined;
    readonly answers: readonly Answer[];
    readonly isReported: boolean;
  },
): boolean {
  if (isWaiting) return true;
  const from = Math.max(lastFaultAt, startedAt) + OVERDUE_AFTER_MS;
  const isLate = first !== undefined && first.at > from;
  const isUnfinished = ({ kind }: Answer) => kind === 'rejected' || kind === 'accepted';
  return (isLate && !isReported) || answers.some(answer => isUnfinished(answer) && answer.at > from);
}

/**
 * Said to be done, when it was not yet; or, to a duplicate, with a result that no effect has had, or another than was
 * answered first; or contradicted by the record. An own run has its own result; where it is one too many, that is
 * counted as doubled. A result whose answer was lost on the way from the provider counts for nothing here.
 */
function isWrong(
  { kind, at, result, contradiction }: Answer,
  effects: readonly Effect[],
  answers: readonly Answer[],
): boolean {
  if (contradiction !== undefined) return true;
  if (!isDone({ kind })) return false;
  const done = effects.filter(effect => effect.at <= at);
  if (done.length === 0) return true;
  if (result === undefined || kind === 'result') return false;
  const first = answers.find(answer => isDone(answer) && answer.result !== undefined);
  return result !== first?.result || !done.some(effect => effect.result === result);
}

function isDone({ kind }: Pick<Answer, 'kind'>): boolean {
  return kind === 'result' || kind === 'duplicate';
}
