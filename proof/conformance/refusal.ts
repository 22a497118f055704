/** A request that the runtime refused with an error of the service. */
export interface Refusal {
  readonly name: string;
  readonly message: string;
}

/** The refusal behind something thrown, or undefined where it is a fault. */
export function refusalOf(error: unknown): Refusal | undefined {
  const isRefusal = typeof error === 'object' && error !== null && 'isRefusal' in error;
  return isRefusal ? (error as unknown as Refusal) : undefined;
}

/**
 * What the local runtime lacks for a definition that it refused although the service takes it; undefined where it
 * refused for a reason of the service's.
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
