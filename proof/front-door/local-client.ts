import http from 'node:http';
import type { LocalStack } from '@onceflow/local';
import type { Request } from './conversation';
import { type Received, send } from './send';
import { urlOf } from './target';

/** Sends requests by real HTTP to the REST API of a local stack in virtual time. */
export class LocalClient {
  readonly #agent = new http.Agent({ keepAlive: true });
  /** Requests that have been sent, and those whose answers are here. */
  #sent = 0;
  #settled = 0;

  constructor(private readonly stack: Pick<LocalStack, 'restApis' | 'httpRequests' | 'runtime'>) {}

  /** Sends a request; resolves when the stack has it, to its answer. The answer rejects if the connection breaks. */
  async send(request: Request): Promise<{ readonly answer: Promise<Received> }> {
    const { restApis, httpRequests } = this.stack;
    this.#sent += 1;
    const answer = send(urlOf(request.path, new URL(restApis[0]?.url ?? '')), request, this.#agent).finally(
      () => {
        this.#settled += 1;
      },
    );
    // A caller that awaits the answer gets the error of a broken connection.
    answer.catch(() => undefined);
    while (httpRequests.received < this.#sent && this.#settled < this.#sent) await nextTurn();
    return { answer };
  }

  /** Resolves when only time changes anything: nothing is in progress, and no answer is on its way to the client. */
  async idle(): Promise<void> {
    const { runtime, httpRequests } = this.stack;
    await runtime.work.idle();
    while (httpRequests.answered > this.#settled) {
      await nextTurn();
      await runtime.work.idle();
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
