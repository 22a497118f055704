import path from 'node:path';
import ts from 'typescript';
import { RESOURCE_BOUNDS } from '../../infra/cdk/resource-bounds';
import { isConstruct, ROOT, typedProgram } from '../support/typed-program';

type Option = keyof typeof RESOURCE_BOUNDS;

const OF_THE_WORKFLOW = { because: 'the package gives it to sources, as it has compared it before' };
const OF_THE_API = { because: 'it belongs to the API of the resource' };

/** Each place where the package takes a construct: the option under which it is compared, or why it is not. */
const PLACES: Readonly<Record<string, Option | { readonly because: string }>> = {
  'FailureDestination.eventBus(bus)': 'onFailure',
  'FailureDestination.queue(queue)': 'onFailure',
  'HttpSourceOptions.methodOptions.requestValidator': OF_THE_API,
  'IRecordTable.table': 'table',
  'IStartableWorkflow.outcomes.stateMachine': OF_THE_WORKFLOW,
  'IStartableWorkflow.outcomes.table.table': OF_THE_WORKFLOW,
  'IStartableWorkflow.reading.stateMachine': OF_THE_WORKFLOW,
  'IStartableWorkflow.reading.table.table': OF_THE_WORKFLOW,
  'IWorkflowSource.deadLetterQueues': { because: 'a source names queues of its own, for metrics' },
  'IdempotencyProps.formerStateMachines': 'formerStateMachines',
  'IdempotentFragment.grantTo(stateMachine)': 'grantTo',
  'IdempotentFragmentProps.formerStateMachines': 'formerStateMachines',
  'IdempotentFragmentProps.step': 'step',
  'IdempotentFragmentProps.table': 'table',
  'IdempotentFragmentProps.table.table': 'table',
  'IdempotentWorkflow.startFrom(source).deadLetterQueues': {
    because: 'a source names queues of its own, for metrics',
  },
  'IdempotentWorkflowProps.encryptionKey': 'encryptionKey',
  'IdempotentWorkflowProps.formerStateMachines': 'formerStateMachines',
  'IdempotentWorkflowProps.logs.destination': 'logs',
  'IdempotentWorkflowProps.role': 'role',
  'IdempotentWorkflowProps.step': 'step',
  'IdempotentWorkflowProps.table': 'table',
  'IdempotentWorkflowProps.table.table': 'table',
  'MonitoringProps.workflow': 'Monitoring',
  'MskOptions.saslScram512Auth': 'saslScram512Auth',
  'RecordStream.dynamoDb(table)': 'RecordStream.dynamoDb',
  'RecordStream.kafka(options).saslScram512Auth': 'saslScram512Auth',
  'RecordStream.kinesis(stream)': 'RecordStream.kinesis',
  'RecordStream.msk(options).saslScram512Auth': 'saslScram512Auth',
  'RecordTable.fromTable(table)': 'table',
  'RecordTableProps.encryptionKey': 'encryptionKey',
  'Recovery.of(stateMachine)': { because: 'recovery is created within the state machine' },
  'Results.inBucket(bucket)': 'results',
  'SelfManagedKafkaOptions.saslScram512Auth': 'saslScram512Auth',
  'Source.customEventBus(eventBus)': 'Source.customEventBus',
  'Source.eventBridge(eventBus)': 'Source.eventBridge',
  'Source.http(options).methodOptions.requestValidator': OF_THE_API,
  'Source.http(resource)': 'Source.http',
  'Source.queue(queue)': 'Source.queue',
  'Source.topic(topic)': 'Source.topic',
  'SuccessDestination.eventBus(bus)': 'onSuccess',
  'SuccessDestination.queue(queue)': 'onSuccess',
};

/** A resource that is given by its ARN alone. */
const BY_ARN: readonly Option[] = ['RecordStream.msk'];

function checked(): { readonly checker: ts.TypeChecker; readonly exported: readonly ts.Symbol[] } {
  const file = 'infra/index.ts';
  const { program, checker } = typedProgram(file);
  const source = program.getSourceFile(path.join(ROOT, file));
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error('infra/index.ts exports nothing');
  const exported = checker
    .getExportsOfModule(module)
    .map(one => (one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one));
  return { checker, exported };
}

/** The places of constructs in what the package exports, as far as an app gives them; states of a chain are not looked at. */
function placesOfConstructs(): string[] {
  const { checker, exported } = checked();
  const typeOf = (symbol: ts.Symbol) => checker.getTypeOfSymbol(symbol);
  const found = new Set<string>();

  function walk(type: ts.Type, place: string, depth: number): void {
    const parts = type.isUnionOrIntersection() ? type.types : [type];
    for (const part of parts) {
      const [items] = checker.isArrayLikeType(part) ? checker.getTypeArguments(part as ts.TypeReference) : [];
      if (isConstruct(part, checker)) found.add(place);
      else if (items && depth > 0) walk(items, place, depth - 1);
      else if (depth > 0 && isOptions(part)) walkMembers(part, place, depth - 1);
    }
  }

  function walkMembers(type: ts.Type, place: string, depth: number): void {
    for (const member of checker.getPropertiesOfType(type))
      walk(typeOf(member), `${place}.${member.name}`, depth);
  }

  function walkCalls(type: ts.Type, place: string): void {
    for (const signature of type.getCallSignatures())
      for (const parameter of signature.parameters)
        if (parameter.name !== 'scope') walk(typeOf(parameter), `${place}(${parameter.name})`, 2);
  }

  // `bind` is what CDK and the package call; a private method is called with what has been compared.
  function isCalledByApps({ name, declarations = [] }: ts.Symbol): boolean {
    return (
      name !== 'bind' &&
      declarations.every(
        one => !(ts.getCombinedModifierFlags(one) & ts.ModifierFlags.NonPublicAccessibilityModifier),
      )
    );
  }

  // An object of options, of the package or of CDK; instances of classes have methods of their own.
  function isOptions(type: ts.Type): boolean {
    return (type.symbol?.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeLiteral)) !== 0;
  }

  for (const symbol of exported) {
    const { name } = symbol;
    if (symbol.flags & ts.SymbolFlags.Interface)
      walkMembers(checker.getDeclaredTypeOfSymbol(symbol), name, 2);
    if (symbol.flags & ts.SymbolFlags.Variable)
      for (const method of checker.getPropertiesOfType(typeOf(symbol)))
        walkCalls(typeOf(method), `${name}.${method.name}`);
    if (!(symbol.flags & ts.SymbolFlags.Class)) continue;
    const statics = checker.getPropertiesOfType(typeOf(symbol));
    const methods = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
    for (const method of [...statics, ...methods].filter(isCalledByApps))
      walkCalls(typeOf(method), `${name}.${method.name}`);
  }
  return [...found].sort();
}

test('every option that takes a construct is compared with the environment of the stack', () => {
  expect(placesOfConstructs()).toEqual(Object.keys(PLACES).sort());
});

test('every option that is compared is one that takes a construct, or an ARN', () => {
  const options = Object.values(PLACES).filter(one => typeof one === 'string');

  expect([...new Set([...options, ...BY_ARN])].sort()).toEqual(Object.keys(RESOURCE_BOUNDS).sort());
});
