/** Order number `index`, as EventBridge hands it to a state machine. */
export function orderEvent(index: number): object {
  return {
    version: '0',
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    'detail-type': 'OrderPlaced',
    source: 'shop.orders',
    account: '111111111111',
    time: '2026-01-01T00:00:00Z',
    region: 'us-east-1',
    resources: [],
    detail: { orderId: `order-${index}`, amount: 1200 + (index % 50), currency: 'EUR', customerId: 'c-17' },
  };
}
