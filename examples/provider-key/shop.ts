import type { ExecutionDescription } from '@onceflow/local';
import { keyText, recordKey } from 'onceflow/contract';
import { LocalApp, synthesized } from '../fixture';
import { PaymentProvider } from './provider';
import { ProviderKeyStack } from './stack';

/** An order as its event tells it. */
export interface Order {
  readonly orderId: string;
  readonly card: string;
  readonly amountCents: number;
}

/** The shop on the local stack; the provider that its function calls is real. */
export class Shop extends LocalApp {
  readonly provider: PaymentProvider;
  readonly #remove: () => void;

  private constructor(provider: PaymentProvider, remove: () => void) {
    super();
    [this.provider, this.#remove] = [provider, remove];
  }

  static async withProvider(): Promise<Shop> {
    const provider = await PaymentProvider.open(() => shop.stack.now());
    const { assembly, remove } = synthesized(
      app => new ProviderKeyStack(app, 'ProviderKey', { providerUrl: provider.url }),
    );
    const shop = new Shop(provider, remove);
    return shop.open(assembly);
  }

  /** Puts an order on the bus, and lets time pass until all is done; returns the executions that it led to. */
  deliver(order: Order): Promise<ExecutionDescription[]> {
    return this.publish({ source: 'shop', 'detail-type': 'OrderPlaced', detail: { ...order } });
  }

  /** Every run of the step so far for a key: attempt and retry. */
  stepRunsOf(orderId: string): string[] {
    const steps = this.stack.calls.filter(({ stateName }) => stateName === 'Business step');
    return steps.flatMap(call => {
      const { Payload } = call.arguments as unknown as {
        Payload: { idempotencyKey: string; attempt: number; retryCount: number };
      };
      const { idempotencyKey, attempt, retryCount } = Payload;
      return idempotencyKey === `ChargeOrder#${orderId}` ? [`attempt ${attempt} retry ${retryCount}`] : [];
    });
  }

  /** The status of an order's record, and the result in it; undefined: there is none. */
  async recordOf(
    orderId: string,
  ): Promise<{ readonly status: string; readonly result: unknown } | undefined> {
    const key = keyText(orderId);
    if (key.kind !== 'key') return undefined;
    const item = await this.item('RecordTableName', {
      idempotencyKey: { S: recordKey('ChargeOrder', key.text) },
    });
    if (item === undefined) return undefined;
    const result = item['result']?.S;
    return {
      status: item['status']?.S ?? '',
      result: result === undefined ? undefined : JSON.parse(result),
    };
  }

  override async close(): Promise<void> {
    await super.close();
    await this.provider.close();
    this.#remove();
  }
}
