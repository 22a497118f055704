import type { Answer, Conversation, Request } from './conversation';
import { judge, judgeEffects } from './judge';
import type { OpenApp, Target } from './target';

/** The outcome of a conversation. */
export interface Outcome {
  readonly id: string;
  readonly title: string;
  readonly kind: 'passed' | 'failed' | 'skipped' | 'unknown' | 'differs';
  /** The fault, the fact that is not documented, the difference with its reason, or the reason for a skip. */
  readonly why: readonly string[];
}

/** Runs a conversation, and reports what is wrong with it. */
export async function runConversation(conversation: Conversation, target: Target): Promise<Outcome> {
  const { id, title, effects, question } = conversation;
  const expect = conversation.expect.map(one => (target.isUrl && one.atUrl ? one.atUrl : one));
  const reason = target.skips(conversation);
  if (reason !== undefined) return { id, title, kind: 'skipped', why: [reason] };
  const app = await target.open(conversation);
  try {
    const answers = await answersTo(conversation.requests, app);
    const happened = effects && (await app.effects());
    const inAnswers = judge(answers, expect);
    const inEffects = happened ? judgeEffects(happened, effects) : [];
    const why = [...inAnswers, ...inEffects];
    if (why.length === 0) return { id, title, kind: 'passed', why };
    if (inEffects.length === 0 && conversation.requests.some(returnsLongNumber)) {
      return { id, title, kind: 'differs', why: [LONG_NUMBER, ...why] };
    }
    if (target.isUrl && question) return { id, title, kind: 'unknown', why: [question, ...why] };
    return { id, title, kind: 'failed', why };
  } finally {
    await app.close();
  }
}

const LONG_NUMBER =
  'Step Functions reads a number as a double, so a step returns a longer one as text: docs/guide/http.md';

/** Whether the step returns a number that is another one as a double: the only difference that is by design. */
function returnsLongNumber({ body }: Request): boolean {
  const { step } = (body ?? {}) as { readonly step?: { readonly resultText?: string } };
  const numbers = (step?.resultText ?? '').match(/(?<![\d."])\d+(?![\d."])/g) ?? [];
  return numbers.some(digits => !Number.isSafeInteger(Number(digits)));
}

async function answersTo(requests: readonly Request[], app: OpenApp): Promise<readonly Answer[]> {
  const pending: Promise<Answer>[] = [];
  const sentAt: number[] = [];
  const paths: string[] = [];
  let location = '';
  for (const request of requests) {
    const { delayMs = 0, concurrentWith } = request;
    if (concurrentWith === undefined) {
      location = locationIn(await app.answersOf(pending), paths) ?? location;
      if (delayMs > 0) await app.wait(delayMs);
    } else {
      const since = app.now() - (sentAt[concurrentWith] ?? 0);
      if (delayMs > since) await app.wait(delayMs - since);
    }
    const path = request.path.replace('<location>', location);
    paths.push(path);
    sentAt.push(app.now());
    pending.push((await app.send({ ...request, path })).answer);
  }
  return app.answersOf(pending);
}

/** The path of the last location, which is relative to that of its request. */
function locationIn(answers: readonly Answer[], paths: readonly string[]): string | undefined {
  const located = answers.flatMap((answer, index) => {
    const location = answer.kind === 'answer' ? answer.headers['location'] : undefined;
    const from = new URL(paths[index] ?? '/', 'http://localhost');
    return location === undefined ? [] : new URL(location, from).pathname;
  });
  return located.at(-1);
}
