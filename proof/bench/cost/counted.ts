import type { Calls } from './cost';

/** As much of an SDK client, of whatever copy of the SDK, as counting needs. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: (
        next: (args: never) => Promise<object>,
        context: { readonly commandName?: string },
      ) => (args: never) => Promise<object>,
      options: { readonly step: 'initialize'; readonly name: string },
    ): void;
  };
}

/** Counts what a DynamoDB client is asked from now on, as writes and reads. */
export function countCalls(client: Client): Calls {
  const calls: Calls = { writes: 0, reads: 0 };
  client.middlewareStack.add(
    (next, context) => args => {
      if (context.commandName === 'GetItemCommand') calls.reads += 1;
      else calls.writes += 1;
      return next(args);
    },
    { step: 'initialize', name: 'countCalls' },
  );
  return calls;
}
