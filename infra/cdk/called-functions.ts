import { Annotations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnAlias, CfnFunction, CfnVersion } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { IConstruct } from 'constructs';
import { constructsIn } from '../../state-machine/template/references';
import { rendered, resourceWith } from '../../state-machine/template/rendered-properties';
import { acknowledge, FINDING, written } from './acknowledge';
import type { NamedState, StateJson } from './definition';

/** What a state refers to where it says what it calls, and with what. */
function referencesOf({ Resource, Arguments, Parameters }: StateJson): IConstruct[] {
  return [Resource, Arguments, Parameters].flatMap(constructsIn);
}

/** The function that a version or an alias runs; any other construct as it is. */
function functionBehind(construct: IConstruct): IConstruct {
  const [behind] = isQualified(construct) ? constructsIn(construct.functionName) : [];
  return behind ? functionBehind(behind) : construct;
}

function isQualified(construct: IConstruct): construct is CfnAlias | CfnVersion {
  return construct instanceof CfnAlias || construct instanceof CfnVersion;
}

/** The functions of the app that a state calls by reference, ARN or name, also by a version or an alias. */
export function functionsOf(state: StateJson, user: IConstruct): CfnFunction[] {
  const arns = textsOf(state).map(text => text.replace(/(:function:[^:]+):[^:]+$/, '$1'));
  const named = arns.map(arn => resourceWith(arn, 'AWS::Lambda::Function', user));
  return [...referencesOf(state).map(functionBehind), ...named].filter(one => one instanceof CfnFunction);
}

/** The ARN of a version or an alias of another app: the function's, and the qualifier. */
const QUALIFIED_ARN = /^(arn:[\w-]+:lambda:[\w-]+:\d+:function:[\w-]+):([\w-]+)$/;

/**
 * Lets a state machine call each function of these states also without a version, and by all of its versions and
 * aliases. Executions that run, and redrives, have the definition with which they began, and that may name another one.
 */
export function grantAllVersions(stateMachine: StateMachine, states: readonly NamedState[]): void {
  const arns = new Set(states.flatMap(([, state]) => qualifiedIn(state)));
  for (const arn of arns) {
    const statement = { actions: ['lambda:InvokeFunction'], resources: [arn, `${arn}:*`] };
    stateMachine.addToRolePolicy(new PolicyStatement(statement));
    const finding = FINDING.wildcard(written(stateMachine, `${arn}:*`));
    acknowledge(stateMachine, finding, 'the versions of one function that the state machine calls');
  }
}

/** The ARNs of the functions that a state calls by a version or an alias. */
function qualifiedIn(state: StateJson): string[] {
  const defined = referencesOf(state)
    .filter(isQualified)
    .map(functionBehind)
    .flatMap(behind => (behind instanceof CfnFunction ? [behind.attrArn] : []));
  return [...defined, ...textsOf(state).flatMap(text => QUALIFIED_ARN.exec(text)?.[1] ?? [])];
}

function textsOf({ Resource, Arguments, Parameters }: StateJson): string[] {
  const names = [Arguments, Parameters].map(request => (request as { FunctionName?: unknown })?.FunctionName);
  return [Resource, ...names].filter(one => typeof one === 'string');
}

/** Warns of states that call one version of a function, which the next deployment deletes. */
export function adviseVersions(construct: IConstruct, states: readonly NamedState[]): void {
  for (const [name, state] of states) {
    const version = versionIn(state);
    if (version === undefined) continue;
    Annotations.of(construct).addWarningV2(
      'onceflow:stepVersion',
      `state '${name}' calls one version of a function, ${version}. Executions that run, and redrives within 14 days, ` +
        'call it also after a deployment has replaced it by another. Call an alias instead, such as new Alias(this, ' +
        "'Live', { aliasName: 'live', version }), or retain the versions: currentVersionOptions: { removalPolicy: " +
        'RemovalPolicy.RETAIN }',
    );
  }
}

/** The version that a state calls and that is not retained, by its path or ARN. */
function versionIn(state: StateJson): string | undefined {
  const defined = referencesOf(state).find(
    one => one instanceof CfnVersion && !String(rendered(one).DeletionPolicy).startsWith('Retain'),
  );
  const known = textsOf(state).find(text => /^\d+$/.test(QUALIFIED_ARN.exec(text)?.[2] ?? ''));
  return defined?.node.path ?? known;
}
