import type { FunctionSpec } from './function-spec';

/** The function that a name stands for, or the ARN that nothing answers to. */
export type FunctionLookup =
  | { readonly kind: 'found'; readonly spec: FunctionSpec }
  | { readonly kind: 'unknown'; readonly arn: string };

/** Where a name without an account is looked for when there is no function to learn the account from. */
const DEFAULT_PREFIX = 'arn:aws:lambda:us-east-1:111111111111:function:';

/**
 * Finds functions by name, `account:function:name` or ARN, each also with a qualifier: `$LATEST`, or a version or an
 * alias whose ARN is in `qualified`. Each of them is the current code.
 *
 * @throws when two functions have the same ARN, for one of them could never be called.
 */
export function createFunctionLookup(
  functions: readonly FunctionSpec[],
  qualified: ReadonlySet<string> = new Set(),
): (nameOrArn: string) => FunctionLookup {
  const byArn = new Map(functions.map(spec => [spec.arn, spec]));
  if (byArn.size < functions.length)
    throw new Error(`functions need different ARNs; twice: ${duplicateArns(functions)}`);
  const prefix = functions[0]?.arn.replace(/[^:]*$/, '') ?? DEFAULT_PREFIX;

  return nameOrArn => {
    const { isArn, unqualified, qualifier } = parseFunctionName(nameOrArn);
    const arn = isArn ? unqualified : prefix + unqualified;
    const isThere = qualifier === '$LATEST' || qualified.has(`${arn}:${qualifier}`);
    const spec = isThere ? byArn.get(arn) : undefined;
    return spec ? { kind: 'found', spec } : { kind: 'unknown', arn: `${arn}:${qualifier}` };
  };
}

/** A function as a request names it. */
export interface FunctionName {
  readonly isArn: boolean;
  /** The ARN or the bare name, without an account and without a qualifier. */
  readonly unqualified: string;
  /** `$LATEST` if there is none. */
  readonly qualifier: string;
}

/** Reads a name, `account:function:name` or an ARN, each with or without a qualifier. */
export function parseFunctionName(nameOrArn: string): FunctionName {
  const parts = nameOrArn.split(':');
  const mark = parts.indexOf('function');
  // In an ARN the name follows `function`; a bare name may be `function` itself.
  const isBare = mark < 1;
  const [name = '', qualifier = '$LATEST'] = isBare ? parts : parts.slice(mark + 1);
  const isArn = parts[0] === 'arn';
  return { isArn, unqualified: isArn ? [...parts.slice(0, mark + 1), name].join(':') : name, qualifier };
}

function duplicateArns(functions: readonly FunctionSpec[]): string {
  const arns = functions.map(spec => spec.arn);
  return arns.filter((arn, index) => arns.indexOf(arn) !== index).join(', ');
}
