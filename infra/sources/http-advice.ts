import { Annotations } from 'aws-cdk-lib';
import type { MethodOptions } from 'aws-cdk-lib/aws-apigateway';
import type { Construct, IConstruct } from 'constructs';
import { type KnownValue, union } from '../../state-machine/expression/known-value';
import { readingOf } from '../../state-machine/expression/known-value-of';
import { noted } from '../../state-machine/template/noted';
import { documentation } from '../../state-machine/words/documentation';
import { PARAMETER, PRINCIPAL } from './envelope/envelopes';
import type { OptionExpression } from './envelope/require-envelope';

const guide = (section: string) => documentation(`docs/guide/http.md#${section}`);

/** Warns of a method that any caller may use, unless the options say so on purpose. */
export function adviseOpenMethod(
  scope: Construct,
  { authorizationType, authorizer, apiKeyRequired }: MethodOptions,
): void {
  if (authorizationType !== undefined || authorizer || apiKeyRequired) return;
  Annotations.of(scope).addWarningV2(
    'onceflow:httpOpen',
    'everyone can call this method, because it has no authorizer and no API key, and all callers share their keys. Give ' +
      '`methodOptions` an authorizer, or `authorizationType: AuthorizationType.NONE` if it is ' +
      `meant to be public: ${documentation('docs/guide/http-api.md#a-public-api')}`,
  );
}

/** What of a request decides which answer it gets: the expressions of the workflow, over the input that it makes. */
export interface Compared {
  readonly keys: readonly OptionExpression[];
  readonly payload: readonly OptionExpression[];
  readonly input: KnownValue;
}

function marksOf(expressions: readonly OptionExpression[], input: KnownValue): ReadonlySet<string> {
  return union(expressions.map(({ root }) => readingOf(root, input).value.marks));
}

/** Warns if the workflow's own key does not tell the callers apart whom the source knows. */
export function adviseCallers(scope: Construct, { keys, input }: Compared): void {
  if (marksOf(keys, input).has(PRINCIPAL)) return;
  Annotations.of(scope).addWarningV2(
    'onceflow:sharedKeys',
    'callers share their keys, because `input` leaves the key to the workflow, and that reads no caller: two callers with ' +
      'one key and payload get the same answer. Hand the caller on, such as ' +
      "`input: \"{% {'caller': $states.input.principal, 'body': $states.input.body} %}\"`, and add the part " +
      `'{% $states.input.caller %}' to \`idempotencyKey\`; or acknowledge this warning: ${guide('with-other-sources')}`,
  );
}

/** Warns of a path that says what a request is about, if neither the key nor the payload reads that. */
export function advisePath(
  scope: Construct,
  { keys, payload, input }: Compared,
  path: string,
  parameters: readonly string[],
): void {
  const compared = marksOf([...keys, ...payload], input);
  const [left] = parameters.filter(name => !compared.has(PARAMETER + name));
  if (left === undefined) return;
  // All behind `{proxy+}` is one parameter.
  const [one, other] = ['7', '8'].map(value =>
    path.replace(/\{([^}+]*)\+?\}/g, (_, name) => (name === left ? value : '1')),
  );
  Annotations.of(scope).addWarningV2(
    'onceflow:pathNotCompared',
    `neither key nor payload reads the path parameter ${left}: a key that was used for ${one} and then for ${other} with ` +
      "the same body gets the first answer. Compare it, such as `payload: \"{% $states.input.{'path': path, 'body': " +
      `body} %}"\`, or acknowledge this warning: ${guide('the-key')}`,
  );
}

/** A request that a workflow takes, with what its key and payload have of their own. */
interface Taken {
  readonly request: string;
  readonly marks: ReadonlySet<string>;
}

/** Warns of a second resource or method of a workflow whose requests could be taken for those of the first. */
export function adviseSecondResource(
  scope: Construct,
  { keys, payload, input }: Compared,
  workflow: IConstruct,
  request: string,
): void {
  const marks = marksOf([...keys, ...payload], input);
  const taken = noted(workflow, 'Requests', (): Taken[] => []);
  const same = taken.find(other => isSame(other.marks, marks));
  taken.push({ request, marks });
  if (same === undefined) return;
  Annotations.of(scope).addWarningV2(
    'onceflow:resourceNotCompared',
    `neither key nor payload tells ${request} from ${same.request}: a key that was used for one and then for the other with ` +
      'the same body gets the first answer. Use a workflow for each, or add a constant part to the key of one, such as ' +
      "`idempotencyKey: [\"{% 'refund' %}\", '{% $states.input.body.paymentId %}']`, or acknowledge this warning: " +
      `${guide('the-key')}`,
  );
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every(mark => other.has(mark));
}
