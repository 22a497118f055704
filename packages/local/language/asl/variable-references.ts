import jsonata206 from 'jsonata206';
import { isJsonObject, type Json } from '../../json/json';
import { parseJson } from '../../json/syntax';
import { type Node, nodesOf } from '../jsonata/ast';
import type { Intrinsic } from '../jsonpath/parse-intrinsic';
import { parseQuery, type Query } from '../jsonpath/payload-template';
import type { Path } from '../jsonpath/syntax';
import { objectsIn, type RawState, rawMachine } from './raw';
import { expressionIn } from './template';

/** For each state that uses variables which the machine assigns, their names in alphabetical order. */
export type VariableReferences = { readonly [stateName: string]: readonly string[] };

/**
 * The variables that the states of a definition refer to, as DescribeStateMachine returns them.
 *
 * Expects a definition that was accepted. States of branches and iterations stand for themselves.
 */
export function variableReferences(definitionText: string): VariableReferences {
  const parsed = parseJson(definitionText);
  if (parsed.kind !== 'json' || !isJsonObject(parsed.value)) return {};
  const { states } = rawMachine(parsed.value);
  const assigned = new Set(states.flatMap(assignedIn));
  const entries = states.flatMap(state => {
    const names = new Set(state.language === 'JSONata' ? namesInExpressions(state) : namesInPaths(state));
    const used = [...names].filter(name => assigned.has(name)).sort();
    return used.length === 0 ? [] : [[state.name, used] as const];
  });
  return Object.fromEntries(entries);
}

function assignedIn(state: RawState): string[] {
  const assigning = [state, ...objectsIn(state, 'Choices'), ...objectsIn(state, 'Catch')];
  return assigning.flatMap(({ fields }) =>
    isJsonObject(fields['Assign'])
      ? Object.keys(fields['Assign']).map(name => name.replace(/\.\$$/, ''))
      : [],
  );
}

/** Fields that hold states of their own. */
const INNER_FIELDS = new Set(['Branches', 'ItemProcessor', 'Iterator']);

function namesInExpressions({ fields }: RawState): string[] {
  const own = Object.entries(fields).filter(([name]) => !INNER_FIELDS.has(name));
  return own.flatMap(([, value]) => expressionsIn(value)).flatMap(source => [...usedIn(source)]);
}

/** Fields that are payload templates: in them, only members called `x.$` are paths. */
const TEMPLATES = new Set(['Assign', 'Parameters', 'ResultSelector', 'ItemSelector', 'BatchInput']);

function namesInPaths({ fields }: RawState): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    INNER_FIELDS.has(name) || name === 'Result' ? [] : namesInField(name, value, TEMPLATES.has(name)),
  );
}

function namesInField(name: string, value: Json, isTemplate: boolean): string[] {
  if (Array.isArray(value)) return value.flatMap(item => namesInField('', item, isTemplate));
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([member, item]) =>
      namesInField(member, item, isTemplate || TEMPLATES.has(member)),
    );
  }
  const isPath = name.endsWith('.$') || (!isTemplate && (name === 'Variable' || name.endsWith('Path')));
  const parsed = isPath && typeof value === 'string' ? parseQuery(value) : undefined;
  return parsed?.kind === 'query' ? namesInQuery(parsed.query) : [];
}

function namesInQuery(query: Query): string[] {
  return query.kind === 'path' ? namesInPath(query.path) : namesInCall(query.intrinsic);
}

function namesInPath({ root }: Path): string[] {
  return root.kind === 'variable' ? [root.name] : [];
}

function namesInCall(intrinsic: Intrinsic): string[] {
  return intrinsic.arguments.flatMap(argument => {
    if (argument.kind === 'call') return namesInCall(argument.intrinsic);
    return argument.kind === 'path' ? namesInPath(argument.path) : [];
  });
}

function expressionsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  if (isJsonObject(value)) return Object.values(value).flatMap(expressionsIn);
  const source = expressionIn(value);
  return source === undefined ? [] : [source];
}

/** Names that an expression looks up and does not bind itself. */
function usedIn(source: string): Set<string> {
  const used = new Set<string>();
  const bound = new Set<string>();
  for (const [node] of nodesOf(jsonata206(source).ast())) {
    if (node.type === 'variable' && typeof node.value === 'string') used.add(node.value);
    for (const parameter of boundBy(node)) bound.add(parameter);
  }
  return new Set([...used].filter(name => !bound.has(name)));
}

function boundBy(node: Node): string[] {
  const bindings = node.type === 'bind' ? [node.lhs] : node.type === 'lambda' ? (node.arguments ?? []) : [];
  return bindings.flatMap(binding => {
    const name = isJsonObject(binding) ? binding['value'] : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}
