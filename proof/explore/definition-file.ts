import { readFileSync } from 'node:fs';
import { exportedDefinition } from '../../infra/template/exported-definition';
import { isJsonObject, type JsonObject } from '../../packages/local/json/json';
import { firstErrorIn } from '../../packages/local/json/syntax';
import { describeValue } from '../../state-machine/words/describe-value';
import { statesOf } from './model/definition-states';
import { ORIGIN } from './model/execution-state';
import { directName, inputOf } from './model/inputs';
import { type LoadedSubject, subjectOfText } from './model/load-subject';
import { StateSpace } from './model/state-space';
import type { Subject } from './model/subject';

/** The subject in an ASL file, and one of its recovery, or why it is not one whose invariants are explored. */
export function readDefinition(file: string, recoveryText?: string): LoadedSubject {
  try {
    const [definition, ofTemplate] = definitionsIn(readFileSync(file, 'utf8'));
    const recovery =
      recoveryText === undefined
        ? ofTemplate
        : definitionIn(readFileSync(recoveryText, 'utf8'), 'its recovery: ');
    const loaded = subjectOfText(definition, recovery);
    if (loaded.kind === 'problem') return loaded;
    const message = shapeProblem(loaded.subject.workflow.json) ?? eventProblem(loaded.subject);
    return message === undefined ? loaded : { kind: 'problem', message };
  } catch (error) {
    return { kind: 'problem', message: error instanceof Error ? error.message : String(error) };
  }
}

/** The definition in a text and, in a template that `onceflow template` has made, that of its recovery. */
function definitionsIn(text: string): readonly [definition: string, recovery?: string] {
  const template = templateIn(text);
  if (template === undefined) return [definitionIn(text)];
  const definitionOf = (id: string) =>
    definitionIn(JSON.stringify(exportedDefinition(template, id).definition));
  const isRecovered = 'RecoveryStateMachine' in template.Resources;
  const workflow = definitionOf('StateMachine');
  return isRecovered ? [workflow, definitionOf('RecoveryStateMachine')] : [workflow];
}

/** A CloudFormation template; undefined: the text is none, so that it may be a definition. */
function templateIn(text: string): (JsonObject & { readonly Resources: JsonObject }) | undefined {
  try {
    const document = JSON.parse(text);
    return isJsonObject(document) && isJsonObject(document['Resources'])
      ? { ...document, Resources: document['Resources'] }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A definition with values for the references that `onceflow template` leaves in it.
 *
 * @throws Error for other JSON, and for a text that is not JSON
 */
function definitionIn(text: string, of = ''): string {
  const definition: unknown = parsed(text, of);
  if (isJsonObject(definition)) return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => referred(name));
  throw new Error(
    `${of}a definition must be an object with StartAt and States, got ${describeValue(definition)}. Give a file in ` +
      'Amazon States Language, or a template that `onceflow template` has made',
  );
}

function parsed(text: string, of: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${of}the file is not JSON: the first error is at ${firstErrorIn(text)}`);
  }
}

const VALUES: Readonly<Record<string, string>> = {
  AWSPartition: 'aws',
  AWSRegion: 'us-east-1',
  AWSAccountId: '111111111111',
  RetentionSeconds: String(90 * 24 * 60 * 60),
};

function referred(name: string): string {
  if (name.endsWith('FunctionArn')) return `arn:aws:lambda:us-east-1:111111111111:function:${name}`;
  if (name.endsWith('StateMachine')) return `arn:aws:states:us-east-1:111111111111:stateMachine:${name}`;
  return VALUES[name] ?? name;
}

/** Why a definition is not one whose invariants are explored; undefined if it is. */
function shapeProblem(definition: JsonObject): string | undefined {
  const states = statesOf(definition);
  const claim = states['Claim record']?.['Arguments'];
  if (!isJsonObject(claim) || !isJsonObject(claim['Item']))
    return 'no state `Claim record` that puts an item: this is not the definition of an idempotent workflow';
  return undefined;
}

/** Why the event that is explored says nothing about a definition; undefined if it begins to work with it. */
function eventProblem(subject: Subject): string | undefined {
  const { workflow } = new StateSpace(subject);
  const input = inputOf(0);
  const started = workflow.started({ name: directName(1), input, now: ORIGIN });
  const { status, end } = workflow.get(started).execution;
  if (status === 'RUNNING') return undefined;
  const how = `the execution ends with ${end?.error ?? status} before its claim`;
  return `${how}; key and payload must be in the explored input, ${JSON.stringify(input)}`;
}
