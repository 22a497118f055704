/** What a contender has taken of what AWS bills. */
export interface Bill {
  /** DynamoDB calls, rejected ones included. */
  writes: number;
  reads: number;
  /** Invocations of functions, those that run the step among them. */
  invocations: number;
  stepRuns: number;
  /** DynamoDB calls that a function waits for, while its time is billed. */
  awaitedInFunction: number;
  transitions: number;
  expressExecutions: number;
}

/** Nothing yet. */
export function emptyBill(): Bill {
  return {
    writes: 0,
    reads: 0,
    invocations: 0,
    stepRuns: 0,
    awaitedInFunction: 0,
    transitions: 0,
    expressExecutions: 0,
  };
}

/** The costs between two moments. */
export function billBetween(before: Bill, after: Bill): Bill {
  return combined(before, after, (one, other) => other - one);
}

/** Both together. */
export function addBills(one: Bill, other: Bill): Bill {
  return combined(one, other, (first, second) => first + second);
}

function combined(one: Bill, other: Bill, combine: (one: number, other: number) => number): Bill {
  const names = Object.keys(one) as (keyof Bill)[];
  return Object.fromEntries(names.map(name => [name, combine(one[name], other[name])])) as unknown as Bill;
}
