// The States Language: definitions, their data, and expressions in JSONata and JSONPath. Pure: no clock, no I/O.
// Files outside of this folder import this one. Tests do not have to, and the console's page has `asl/raw` alone: a
// browser has no `node:crypto`.
export { DATA_BYTES_MAX, type Data, dataOf, isTooLarge, utf8Bytes } from './asl/data';
export type {
  Assignments,
  Catcher,
  ChoiceState,
  DataFlow,
  Definition,
  DistributedMap,
  FailState,
  Field,
  ItemBatcher,
  ItemFormat,
  JsonataFlow,
  MapState,
  ParallelState,
  PassState,
  PathField,
  PathFlow,
  PathQuery,
  Paths,
  Resource,
  Retrier,
  State,
  SucceedState,
  TaskState,
  WaitState,
} from './asl/definition';
export { type ParsedDefinition, parseDefinition } from './asl/parse';
export { describeProblems, diagnosticsOf, type Problem } from './asl/problems';
export { type RawState, rawMachine } from './asl/raw';
export {
  type Evaluate,
  type Evaluated,
  evaluateTemplate,
  isConstant,
  isExpression,
  type Template,
} from './asl/template';
export { isoTime, parseOffsetDateTime } from './asl/timestamp';
export { targetsOf } from './asl/validate/targets';
export { type VariableReferences, variableReferences } from './asl/variable-references';
export { type ExpressionResult, evaluate, evaluateAtOnce, variablesIn } from './jsonata/jsonata';
export { EVALUATION_MS_MAX, MEMORY_PROBLEM, TIMEOUT_PROBLEM } from './jsonata/limits';
export type { EvaluationContext, Variables } from './jsonata/scope';
export { evaluateChoiceRule } from './jsonpath/choice-rule';
export type { PathResult, Scope } from './jsonpath/evaluation';
export { parsePath, select } from './jsonpath/path';
export { evaluatePayloadTemplate, evaluateQuery, type PayloadTemplate } from './jsonpath/payload-template';
export { Reader } from './jsonpath/reader';
export { insert, type ReferencePath, valueAt } from './jsonpath/reference-path';
