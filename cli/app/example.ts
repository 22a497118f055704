import type { Assembly, Json, JsonObject } from '@onceflow/local';
import {
  type Claim,
  claimsIn,
  deployedIn,
  isMachine,
  keyExpressionsOf,
  keyPayloadOf,
} from '../definition/claims';
import { type InputPath, inputPathOf, inputPathsIn, inputPathText } from '../definition/input-paths';

/** A start to begin with, as far as the app's definitions say what a state machine takes. */
export interface Example {
  readonly stateMachineArn: string;
  readonly input: JsonObject;
  /** The body of a request by HTTP that gives this input; null if none does, or if that is unknown. */
  readonly request: JsonObject | null;
  /** The ARN of the state machine that such a request starts; null where there is none. */
  readonly frontDoor: string | null;
  /** The parts of the key that the workflow takes from the input; null if unknown. */
  readonly key: readonly string[] | null;
  /** The workflow's name, where the app has more than one. */
  readonly workflowName: string | null;
  /** The known and the unknown facts of the input, in a sentence or two. */
  readonly about: string;
}

type Machine = Assembly['stateMachines'][number];

interface Workflow extends Machine {
  readonly claim: Claim;
}

/** An example for the first workflow, or for the first state machine where there is none; undefined without any. */
export function exampleOf(machines: readonly Machine[], rules: Assembly['rules']): Example | undefined {
  const workflows = machines.flatMap((machine): Workflow[] => {
    const [claim, ...others] = claimsIn(machine.definitionText);
    return claim?.isStart && others.length === 0 ? [{ ...machine, claim }] : [];
  });
  const [workflow] = workflows;
  if (workflow) {
    const leading = machines.filter(
      ({ arn, definitionText }) => arn === workflow.arn || definitionText.includes(`"${workflow.arn}"`),
    );
    const envelope = envelopeFor(leading, rules);
    const frontDoor =
      leading.find(({ definitionText }) => isMachine(definitionText, 'frontDoor'))?.arn ?? null;
    const workflowName = workflows.length > 1 ? workflow.name : null;
    return { ...exampleFor(workflow, envelope, frontDoor), workflowName };
  }
  const [machine] = machines;
  return machine && { ...exampleForAny(machine), workflowName: null };
}

/** An input in which every claim of a machine finds its key and payload. */
export function inputOfClaims(machine: Machine): JsonObject {
  const withClaim = (input: JsonObject, claim: Claim) => exampleFor({ ...machine, claim }, input, null).input;
  return claimsIn(machine.definitionText).reduce<JsonObject>(withClaim, {});
}

function exampleForAny({ arn, name }: Machine): Omit<Example, 'workflowName'> {
  const about = `The definition does not show which input ${name} takes. Replace {} by it.`;
  return { stateMachineArn: arn, input: {}, request: null, frontDoor: null, key: null, about };
}

function exampleFor(
  { arn, name, claim }: Workflow,
  envelope: JsonObject,
  frontDoor: string | null,
): Omit<Example, 'workflowName'> {
  const deployed = deployedIn(claim.settings);
  const keyExpressions = (deployed && keyExpressionsOf(deployed)) ?? [];
  const keyPayload = deployed && keyPayloadOf(deployed);
  const payload = deployed?.payload ?? '';
  const paths = keyExpressions.flatMap(inputPathsIn);
  const isKnown =
    keyExpressions.length > 0 && keyExpressions.every(source => inputPathOf(source) !== undefined);
  const read = [...keyExpressions, keyPayload ?? '', payload].flatMap(inputPathsIn);
  const hasBody = frontDoor !== null && read.some(([member]) => member === 'body');
  // The front door takes a JSON object only, and an empty object is not a key.
  const body = read.some(([member, ...below]) => member === 'body' && below.length > 0) ? {} : { number: 1 };
  const input = { ...structuredClone(envelope), ...(hasBody && { body }) } as Mutable;
  for (const path of paths) put(input, path, textFor(path));
  for (const path of inputPathsIn(payload)) put(input, path, valueFor(path));
  for (const path of inputPathsIn(keyPayload ?? '')) put(input, path, contentFor(path));
  const where = paths.map(inputPathText).join(' and ');
  const source = keyExpressions.join(' and ') || 'an expression that onceflow cannot read';
  const isHash = keyPayload !== undefined;
  const what = isHash ? `the hash of ${keyPayload}` : `at ${where}`;
  const about =
    isKnown || isHash
      ? `The key of ${name} is ${what}. The values are examples; its step might need other values, or more.`
      : `The key of ${name} is ${source}, so the input is a guess. The values are examples.`;
  const request = hasBody ? (input['body'] as JsonObject) : null;
  return { stateMachineArn: arn, input, request, frontDoor, key: isKnown ? paths.map(textFor) : null, about };
}

/** What a rule that leads to the workflow, or to its dispatcher, wants an event to have. */
function envelopeFor(leading: readonly Machine[], rules: Assembly['rules']): JsonObject {
  const rule = rules.find(
    ({ pattern, targets }) =>
      pattern &&
      !isOfStatusChanges(pattern) &&
      targets.some(target => leading.some(({ arn }) => arn === target.arn)),
  );
  const names = ['source', 'detail-type'] as const;
  return Object.fromEntries(
    names.flatMap(name => {
      const values = rule?.pattern?.[name];
      const value = Array.isArray(values) ? values.find((one: Json) => typeof one === 'string') : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** An event that starts recovery is not an event that the workflow takes. */
function isOfStatusChanges({ source }: JsonObject): boolean {
  return Array.isArray(source) && source.includes('aws.states');
}

interface Mutable {
  [name: string]: Json | Mutable;
}

/** Puts a value where a path leads, unless there is one already, or the way is barred. */
function put(input: Mutable, path: InputPath, value: Json): void {
  const [name = '', ...below] = path;
  if (below.length === 0) {
    input[name] ??= value;
    return;
  }
  input[name] ??= {};
  const next = input[name];
  if (typeof next === 'object' && next !== null && !Array.isArray(next)) put(next as Mutable, below, value);
}

/** What a key may be: `order-1` for `orderId`. */
function textFor(path: InputPath): string {
  const word = (path.at(-1) ?? '').replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return `${word.replace(/(?<=.)-?(?:Id|ID|id|Key|Number)$/, '') || 'key'}-1`;
}

/** The same if an empty value is not a key. */
function contentFor(path: InputPath): Json {
  const value = valueFor(path);
  return typeof value === 'object' ? { number: 1 } : value;
}

/** A value that fits what people give such a name. */
function valueFor(path: InputPath): Json {
  const name = path.at(-1) ?? '';
  if (name === 'detail') return {};
  if (/amount|price|total|cost/i.test(name)) return 12.5;
  if (/quantity|count$/i.test(name)) return 1;
  if (/currency/i.test(name)) return 'EUR';
  return textFor(path);
}
