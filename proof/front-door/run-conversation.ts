import type { Answer, Conversation, Request } from './conversation';
import { judge, judgeEffects } from './judge';
import type { Place, Target } from './target';

/** What came of a conversation. */
export interface Outcome {
  readonly id: string;
  readonly title: string;
  readonly kind: 'passed' | 'failed' | 'skipped' | 'unknown';
  /** What is wrong, what is not documented, or why it was skipped. */
  readonly why: readonly string[];
}

/** Holds a conversation, and says what is wrong with it. */
export async function converse(conversation: Conversation, target: Target): Promise<Outcome> {
  const { id, title, effects, question } = conversation;
  const expect = conversation.expect.map(one => (target.isUrl && one.atUrl ? one.atUrl : one));
  const reason = target.skips(conversation);
  if (reason !== undefined) return { id, title, kind: 'skipped', why: [reason] };
  const place = await target.open(conversation);
  try {
    const answers = await answersTo(conversation.requests, place);
    const happened = effects && (await place.effects());
    const why = [...judge(answers, expect), ...(happened ? judgeEffects(happened, effects) : [])];
    if (why.length === 0) return { id, title, kind: 'passed', why };
    if (target.isUrl && question) return { id, title, kind: 'unknown', why: [question, ...why] };
    return { id, title, kind: 'failed', why };
  } finally {
    await place.close();
  }
}

async function answersTo(requests: readonly Request[], place: Place): Promise<readonly Answer[]> {
  const pending: Promise<Answer>[] = [];
  const sentAt: number[] = [];
  const paths: string[] = [];
  let location = '';
  for (const request of requests) {
    const { delayMs = 0, concurrentWith } = request;
    if (concurrentWith === undefined) {
      location = locationIn(await place.answersOf(pending), paths) ?? location;
      if (delayMs > 0) await place.wait(delayMs);
    } else {
      const since = place.now() - (sentAt[concurrentWith] ?? 0);
      if (delayMs > since) await place.wait(delayMs - since);
    }
    const path = request.path.replace('<location>', location);
    paths.push(path);
    sentAt.push(place.now());
    pending.push((await place.send({ ...request, path })).answer);
  }
  return place.answersOf(pending);
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
