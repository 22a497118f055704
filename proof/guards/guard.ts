/** What a guarded function answers an order. */
export type Answered =
  | { readonly kind: 'result'; readonly result: string }
  | { readonly kind: 'duplicate'; readonly result?: string | undefined };

/** What a guard looks at of an order. */
export interface Keyed {
  readonly key: string;
}

/** Decides whether the business step is run for an order. The step throws if it fails, or its provider does. */
export type Guard<Order extends Keyed = Keyed> = (
  order: Order,
  step: (order: Order) => Promise<string>,
) => Promise<Answered>;

/** The guard found that another delivery has the key. */
export class InUse extends Error {
  override readonly name = 'InUse';
}

/** The guard found that the payload is not that of the key. */
export class OtherPayload extends Error {
  override readonly name = 'OtherPayload';
}
