import { localRoute, type StackItself } from '../local-route';
import { ExpressOutcomes } from '../runtime/executions/express-outcomes';

const stack = { runtime: { expressOutcomes: new ExpressOutcomes() } } as unknown as StackItself;
const ask = (operation: string, request: object = {}) =>
  localRoute(stack).handle({
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers: {},
    target: { service: 'OnceflowLocal', operation },
    body: Buffer.from(JSON.stringify(request)),
    requestId: 'a',
  });

test('the starts that found their name in use: none before the first', async () => {
  expect(JSON.parse(String((await ask('ListRepeatedStarts')).body))).toEqual({ repeatedStarts: [] });
});

test('another operation, and one of every object: rejected, with those that there are', async () => {
  for (const operation of ['ListEverything', 'toString'])
    await expect(ask(operation)).rejects.toThrow(
      `This stack has no operation '${operation}'; it has ListRepeatedStarts, DescribeSources, Send`,
    );
});

test('a send without a kind, or with a member that is not a text: rejected', async () => {
  await expect(ask('Send', {})).rejects.toThrow("'kind' is not event, customEvent, message or notification");
  await expect(ask('Send', { kind: 'event', eventBus: 1 })).rejects.toThrow("'source' is not a text");
});
