import { Stack } from 'aws-cdk-lib';
import type { IFunction, IVersion } from 'aws-cdk-lib/aws-lambda';
import {
  numberIn,
  type Properties,
  propertiesOf,
  renderedProperties,
  resourceOf,
} from './rendered-properties';

/** CloudFormation's default for a function that names none. */
const TIMEOUT_DEFAULT_SECONDS = 3;

/**
 * How long a function may run, in seconds, as the template has it. Undefined if the template does not say it: another
 * app defines the function, a parameter gives the time, or the step calls a version that was published before.
 */
export function functionTimeout(called: IFunction): number | undefined {
  const properties = propertiesOf(called, 'AWS::Lambda::Function');
  if (properties) return timeoutIn(properties);
  const { lambda } = called as Partial<IVersion>;
  return lambda && runsAsInTheTemplate(called, lambda) ? functionTimeout(lambda) : undefined;
}

/** The timeout of a function in seconds, of its properties in the template; undefined: only the deployment knows it. */
export function timeoutIn({ Timeout = TIMEOUT_DEFAULT_SECONDS }: Properties): number | undefined {
  return numberIn(Timeout);
}

/**
 * Whether a version or an alias runs the function as the template has it: the current or the latest version, and
 * nothing beside it. Another version keeps the time with which it was published.
 */
function runsAsInTheTemplate(called: IFunction, lambda: IFunction): boolean {
  const current = lambda.node.tryFindChild('CurrentVersion') as IVersion | undefined;
  if (!isAlias(called)) {
    return called.node === current?.node || (called as IVersion).version === LATEST;
  }
  const alias = resourceOf(called, 'AWS::Lambda::Alias');
  if (!alias) return false;
  const { FunctionName, FunctionVersion, RoutingConfig } = renderedProperties(alias);
  if (RoutingConfig !== undefined) return false;
  const inTemplate = (value: unknown) => JSON.stringify(Stack.of(alias).resolve(value));
  const isNamed = JSON.stringify(FunctionName) === inTemplate(lambda.functionName);
  const versions = [LATEST, ...(current ? [current.version] : [])].map(inTemplate);
  return isNamed && versions.includes(JSON.stringify(FunctionVersion));
}

const LATEST = '$LATEST';

function isAlias(called: IFunction): boolean {
  return 'aliasName' in called;
}
