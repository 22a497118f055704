/** A request that the runtime rejected with an error of the service. */
export interface Rejection {
  readonly name: string;
  readonly message: string;
}

/** The rejection behind something thrown, or undefined where it is a fault. */
export function rejectionOf(error: unknown): Rejection | undefined {
  const isRejection = typeof error === 'object' && error !== null && 'isRejection' in error;
  return isRejection ? (error as unknown as Rejection) : undefined;
}

/**
 * What the local runtime lacks for a definition that it rejected although the service takes it; undefined where it
 * rejected for a reason of the service's.
 */
export function lackingIn(message: string): string | undefined {
  const lacking = [...message.matchAll(/NOT_SUPPORTED_LOCALLY: (.*?) at (?:\/|null)/g)].map(
    match => match[1] ?? '',
  );
  return FEATURES.find(([pattern]) => lacking.some(text => pattern.test(text)))?.[1] ?? lacking[0];
}

/** One name per feature, however many states of a case use it. The first that fits counts. */
const FEATURES: readonly (readonly [RegExp, string])[] = [
  [/DISTRIBUTED|ItemReader|ItemBatcher|ResultWriter|Label|[Dd]istributed/, 'Distributed Map'],
  [/activit/i, 'activities'],
];
