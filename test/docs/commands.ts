import { readArguments } from '../../cli/commands/registry';
import { readArguments as localArguments, UsageError } from '../../packages/local/command/arguments';
import { parseOptions as benchOptions } from '../../proof/bench/options';
import { parseOptions as conformanceOptions } from '../../proof/conformance/options';
import { parseOptions as demoOptions } from '../../proof/demo/options';
import { parseOptions as exploreOptions } from '../../proof/explore/options';
import { parseOptions as frontDoorOptions } from '../../proof/front-door/options';
import { parseOptions as fuzzOptions } from '../../proof/fuzz/options';
import { parseOptions as leagueOptions } from '../../proof/league/options';
import { parseOptions as specificationOptions } from '../../proof/specification/options';
import type { Page } from './page';

/** A command of a document, and where it stands. */
export interface Command {
  readonly at: string;
  readonly text: string;
}

/** The fault in the arguments of a program of ours; undefined: there is none. */
type Reader = (args: readonly string[]) => string | undefined;

const complaintOf = (parsed: { readonly kind: string; readonly message?: string }) =>
  parsed.kind === 'usage' ? (parsed.message ?? 'wrong usage') : undefined;

/** Our programs by how a command of theirs begins: the program's own parser reads the rest. The longest first. */
const PROGRAMS: readonly (readonly [beginning: string, reader: Reader])[] = [
  ['npm run demo', args => complaintOf(demoOptions(args))],
  ['npm run explore', args => complaintOf(exploreOptions(args))],
  ['npm run front-door', args => complaintOf(frontDoorOptions(args))],
  ['npm run league', args => complaintOf(leagueOptions(args))],
  ['npm run fuzz', args => complaintOf(fuzzOptions(args))],
  ['npm run specification', args => complaintOf(specificationOptions(args))],
  ['npm run conformance', args => complaintOf(conformanceOptions(args))],
  ['npm run bench', args => complaintOf(benchOptions(args))],
  ['npm start', args => onceflowComplaint(['dev', ...args])],
  ['npm run start', args => onceflowComplaint(['dev', ...args])],
  ['npx onceflow-local', localComplaint],
  ['npx onceflow', onceflowComplaint],
];

/** A command that no parser of ours reads: the file that runs it and has the text, or why none does. */
type Check = { readonly ranBy: string; readonly as?: string } | { readonly notRun: string };

const OTHER_COMMANDS: Readonly<Record<string, Check>> = {
  'npm ci && npm run demo': { ranBy: '.ci/run', as: 'npm run demo' },
  'npm ci && npm test': { ranBy: '.ci/run', as: 'npm test' },
  'npm test': { ranBy: '.ci/run' },
  'npm run types': { ranBy: 'test/package/package.system.test.ts', as: 'node_modules/typescript/bin/tsc' },
  'npm init --yes': { notRun: 'in a directory of the reader' },
  'npm install ./onceflow-0.1.0.tgz aws-cdk-lib constructs': {
    notRun: 'test/package installs the tarballs',
  },
  'npm install --save-dev aws-cdk@2 ./onceflow-local-0.1.0.tgz ./onceflow-console-0.1.0.tgz esbuild tsx jest @swc/core @swc/jest typescript @types/node @types/jest':
    { notRun: 'test/package installs the tarballs' },
  'npm install --save-dev ./onceflow-local-0.1.0.tgz': { notRun: 'test/package installs the tarballs' },
  'npm install --save-dev ./onceflow-console-0.1.0.tgz': { notRun: 'test/package installs the tarballs' },
  'npm install --save-dev ./onceflow-0.1.0.tgz ./onceflow-console-0.1.0.tgz': {
    notRun: 'test/package installs the tarballs',
  },
  'aws stepfunctions get-execution-history --execution-arn ARN > history.json': {
    notRun: 'a command of the AWS CLI; what it prints is read in test/cli/console/page.system.test.ts',
  },
  [`aws logs filter-log-events --log-group-name GROUP --filter-pattern '{ $.execution_arn = "ARN" }' > log.json`]:
    {
      notRun:
        'a command of the AWS CLI; what it prints is read in packages/local/test/history/read-history.test.ts',
    },
  'aws stepfunctions describe-state-machine-for-execution --execution-arn ARN > definition.json': {
    notRun: 'a command of the AWS CLI; what it prints is read in test/cli/console/page.system.test.ts',
  },
  [`aws pipes list-pipes --query 'Pipes[].[Name,CurrentState,StateReason]'`]: {
    notRun: 'a command of the AWS CLI; the local stack has no API of EventBridge Pipes',
  },
  [`aws pipes describe-pipe --name NAME --query '[DesiredState,CurrentState,StateReason]'`]: {
    notRun: 'a command of the AWS CLI; the local stack has no API of EventBridge Pipes',
  },
  'aws service-quotas list-service-quotas --service-code states': {
    notRun: 'a command of the AWS CLI; the local stack has no API of Service Quotas',
  },
  'aws service-quotas list-service-quotas --service-code lambda': {
    notRun: 'a command of the AWS CLI; the local stack has no API of Service Quotas',
  },
  'npm pack --workspaces --include-workspace-root': { ranBy: '.ci/run' },
  'npx -p ./onceflow-0.1.0.tgz -p aws-cdk-lib@2 -p constructs@10 onceflow template workflow.yaml --output template.json':
    { notRun: 'needs a registry; test/package runs the command out of the tarball' },
  'aws cloudformation deploy --template-file template.json --stack-name payments --capabilities CAPABILITY_IAM --s3-bucket BUCKET --parameter-overrides StepFunctionArn=ARN':
    { notRun: 'needs an AWS account' },
  'sam deploy --template sam.yaml --stack-name shop --resolve-s3 --capabilities CAPABILITY_IAM CAPABILITY_AUTO_EXPAND':
    { notRun: 'needs an AWS account' },
  'terraform apply -var bucket=BUCKET': { notRun: 'needs an AWS account' },
  [`curl -i http://127.0.0.1:8085/prod/payments -H 'Idempotency-Key: "k-1"' --json '{"orderId":"order-1","amount":12.5}'`]:
    { notRun: 'needs the stack; examples/http-payments sends this request' },
  'npx cdk deploy': { notRun: 'needs an AWS account' },
};

/** Every command of the page's `sh` blocks, without what a comment says of it. */
export function commandsOf({ path, blocks }: Page): Command[] {
  return (
    blocks
      // A block that shows a file is tested as that file.
      .filter(({ language, source }) => language === 'sh' && source === undefined)
      .flatMap(({ line, lines }) =>
        lines.flatMap((text, at) => {
          const command = text.replace(/(?:^|\s+)#.*$/, '').trim();
          return command === '' ? [] : [{ at: `${path}:${line + 1 + at}`, text: command }];
        }),
      )
  );
}

/**
 * The fault of a command: its program does not understand it, or no file runs it.
 *
 * @param read - the text of a file of the repository
 */
export function problemOf({ text }: Command, read: (path: string) => string | undefined): string | undefined {
  const check = OTHER_COMMANDS[text];
  if (check !== undefined) {
    if ('notRun' in check) return undefined;
    const wanted = check.as ?? text;
    return read(check.ranBy)?.includes(wanted) ? undefined : `${check.ranBy} does not run ${wanted}`;
  }
  // In a clone there is no command of this name; npm runs the same program.
  const plain = text.replace(/ (?:--silent|-s)\b/, '').replace(/^npm run onceflow -- /, 'npx onceflow ');
  const [beginning, reader] = PROGRAMS.find(([start]) => plain.startsWith(start)) ?? [];
  if (beginning === undefined || reader === undefined) {
    return 'is no command of ours, and not among those whose check is named in test/docs/commands.ts';
  }
  return reader(argumentsIn(plain.slice(beginning.length)));
}

/** The commands whose check is named, to find those that no document has any more. */
export const NAMED_COMMANDS: readonly string[] = Object.keys(OTHER_COMMANDS);

/** As a shell splits them: single quotes hold what they hold. */
function argumentsIn(text: string): string[] {
  const words = text.match(/'[^']*'|\S+/g) ?? [];
  return words.map(word => word.replace(/^'(.*)'$/, '$1')).filter((word, at) => at > 0 || word !== '--');
}

function localComplaint(args: readonly string[]): string | undefined {
  try {
    localArguments(args);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

function onceflowComplaint(args: readonly string[]): string | undefined {
  try {
    readArguments(args, {});
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
