import { runChaos } from '../../../proof/front-door/chaos';
import { PLAIN_CONVERSATIONS } from '../../../proof/front-door/conversations/plain';
import { CONVERSATIONS_WITH_FAULTS } from '../../../proof/front-door/conversations/with-faults';
import { LocalApp } from '../../../proof/front-door/local-app';
import { localTarget } from '../../../proof/front-door/local-target';
import { isRight } from '../../../proof/front-door/report';
import { runConversation } from '../../../proof/front-door/run-conversation';
import { synthesizeFrontDoor } from '../../../proof/front-door/stack';
import { urlTarget } from '../../../proof/front-door/url-target';
import { newDirectory } from '../../support/shared';

const OWN_CONVERSATIONS = [...PLAIN_CONVERSATIONS, ...CONVERSATIONS_WITH_FAULTS];

let assembly: string;

beforeAll(() => {
  assembly = synthesizeFrontDoor(newDirectory(), {});
}, 60_000);

describe('the front door, over HTTP', () => {
  const target = { ...localTarget(newDirectory), open: () => LocalApp.open(assembly) };
  // Those with apps of their own are for the command: each app takes seconds to synthesize.
  const conversations = OWN_CONVERSATIONS.filter(({ app }) => app === undefined);

  test.each(conversations.map(conversation => [conversation.id, conversation] as const))(
    '%s: as expected',
    async (id, conversation) => {
      expect(await runConversation(conversation, target)).toMatchObject({ id, kind: 'passed', why: [] });
    },
    20_000,
  );

  test.each([
    ['a number of 17 digits in a result', '12345678901234567', 1, 'differs'],
    ['the same, with another number of charges', '12345678901234567', 2, 'failed'],
    ['a number of 16 digits', '1234567890123456', 1, 'passed'],
  ] as const)('%s, of which each is expected: named, wrong or right', async (_, digits, charges, kind) => {
    const request = {
      method: 'POST',
      path: '/payments',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': '"num"' },
      body: { orderId: 'o-1', amount: 1, currency: 'EUR', step: { resultText: `{"ref":${digits}}` } },
    };
    const outcome = await runConversation(
      {
        id: 'num',
        title: 'num',
        requests: [request],
        expect: [{ status: 200, bodyContains: [digits] }],
        effects: { charges },
      },
      target,
    );

    expect(outcome.kind).toBe(kind);
  });

  test('sixty requests of six keys at once, with faults: one effect and one answer for each key', async () => {
    const report = await runChaos(assembly, { requests: 60, keys: 6, seed: 1 });

    expect(isRight(report)).toBe(true);
    expect(Object.keys(report.faults)).toEqual(expect.arrayContaining(['startThrottled', 'answerLost']));
  }, 60_000);
});

describe('the front door of Express workflows, over HTTP', () => {
  const target = localTarget(newDirectory, 'EXPRESS');
  const conversations = OWN_CONVERSATIONS.filter(one => one.app === undefined);
  const held = conversations.filter(one => target.skips(one) === undefined);

  test('all conversations but those that need a 202, a long step, or an execution that is stopped', () => {
    const skipped = conversations.filter(one => !held.includes(one)).map(({ id }) => id);

    expect(skipped).toEqual(['waiting', 'workflow-stopped', 'too-slow']);
  });

  test.each(held.map(conversation => [conversation.id, conversation] as const))(
    '%s: as expected',
    async (id, conversation) => {
      expect(await runConversation(conversation, target)).toMatchObject({ id, kind: 'passed', why: [] });
    },
    60_000,
  );

  test('sixty requests of six keys at once, with faults: one effect and one answer for each key', async () => {
    const express = synthesizeFrontDoor(newDirectory(), { type: 'EXPRESS' });
    const report = await runChaos(express, { requests: 60, keys: 6, seed: 1 });

    expect(isRight(report)).toBe(true);
    expect(Object.keys(report.faults)).toEqual(expect.arrayContaining(['startThrottled', 'answerLost']));
  }, 60_000);
});

describe('the suite at a URL', () => {
  const target = urlTarget(new URL('http://127.0.0.1:1/prod/'), 'run-1');

  afterAll(() => target.close());

  test('what needs faults, callers, hours or other apps: skipped by name', async () => {
    const outcomes = await Promise.all(
      OWN_CONVERSATIONS.filter(conversation => target.skips(conversation) !== undefined).map(conversation =>
        runConversation(conversation, target),
      ),
    );

    expect(Object.fromEntries(outcomes.map(({ id, kind, why }) => [id, `${kind}: ${why.join()}`]))).toEqual({
      'answer-lost': 'skipped: it needs the fault answer-lost',
      'start-answer-lost': 'skipped: it needs the fault start-answer-lost',
      'start-throttled': 'skipped: it needs the fault start-throttled',
      'front-door-stopped': 'skipped: it needs the fault front-door-stopped-after-start',
      'workflow-stopped': 'skipped: it needs the fault workflow-stopped-in-step',
      'at-most-once': 'skipped: it needs an app that behaves otherwise',
      'two-callers': 'skipped: it needs several callers',
      expiry: 'skipped: it needs an app that behaves otherwise',
      'too-slow': 'skipped: it needs 65 seconds',
      'duplicates-wait': 'skipped: it needs an app that behaves otherwise',
      'stored-failure': 'skipped: it needs an app that behaves otherwise',
      preflight: 'skipped: it needs an app that behaves otherwise',
    });
  });

  test('without an answer: wrong, and not passed', async () => {
    const [first] = OWN_CONVERSATIONS;
    const outcome = first && (await runConversation(first, target));

    expect(outcome).toMatchObject({
      kind: 'failed',
      why: expect.arrayContaining(['answer 0: there is none']),
    });
  });
});
