/**
 * What an expression can call, and what a value depends on when it does: the functions of JSONata 2.0.6 and the six
 * that Step Functions adds.
 */
export interface KnownFunction {
  /**
   * What the value depends on beside the arguments: the time, chance, or a text that becomes an expression. With
   * `drawsWithPicture` only if a second argument, a picture, leaves the rest of a time to the clock.
   */
  readonly draws?: 'clock' | 'chance' | 'expression';
  readonly drawsWithPicture?: true;
  /** It writes a number as text, rounded to 15 digits or as its picture says. */
  readonly writesNumbers?: true;
  /** It gives one text for several: characters above U+00FF lose bits, and parts cannot be told apart. */
  readonly mixesTexts?: true;
  /** Its list is in the order of an object's members, which JSON does not keep. */
  readonly followsMembers?: true;
  /** It makes one list of its arguments, in which a missing one leaves no gap. */
  readonly joinsArguments?: true;
  /** It says the same of a list in another order. */
  readonly ignoresOrder?: true;
  readonly isTest?: true;
}

const names = (list: string, facts: KnownFunction = {}) =>
  list.split(' ').map((name): [string, KnownFunction] => [name, facts]);

/** By name, without `$`. */
export const KNOWN_FUNCTIONS: ReadonlyMap<string, KnownFunction> = new Map([
  ...names('now millis', { draws: 'clock' }),
  ...names('toMillis', { draws: 'clock', drawsWithPicture: true }),
  ...names('random shuffle uuid', { draws: 'chance' }),
  ...names('eval', { draws: 'expression' }),
  ...names('string formatBase formatInteger formatNumber', { writesNumbers: true }),
  ...names('join base64encode', { mixesTexts: true }),
  ...names('keys spread each', { followsMembers: true }),
  ...names('append zip', { joinsArguments: true }),
  ...names('count max min', { ignoresOrder: true }),
  ...names('boolean exists not', { isTest: true, ignoresOrder: true }),
  ...names('contains', { isTest: true }),
  ...names(
    'abs assert average base64decode ceil clone decodeUrl decodeUrlComponent distinct encodeUrl encodeUrlComponent ' +
      'error filter floor fromMillis length lookup lowercase map match merge number pad parseInteger power reduce ' +
      'replace reverse round sift single sort split sqrt substring substringAfter substringBefore sum trim type ' +
      'uppercase hash parse partition range',
  ),
]);

/** Functions whose values depend on more than their arguments: on the time, on chance, or on a text of the input. */
export const DRAWING_FUNCTIONS = [...KNOWN_FUNCTIONS].flatMap(([name, { draws }]) => (draws ? [name] : []));
