import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findNotRun } from '../../assembly/not-run';
import { jsonOr } from '../../json/json';
import type { WorkTracker } from '../../runtime/time/work-tracker';
import type { LocalService, ServiceDefinition } from '../local-service';
import { noResource, type RuleTarget } from '../rule-target';
import { lambdaRoute } from './api';
import { FUNCTION, type FunctionCode, LAMBDA_RESOURCE_TYPES } from './cloudformation';
import { EVENT_SOURCE_MAPPING } from './event-sources/cloudformation';
import { startEventSources } from './event-sources/event-sources';
import { createLambdaFunctions, type LambdaFunctions } from './functions';
import { lambdaIntegrations } from './integrations';
import { Invocations } from './invocations';

/** The Lambda of a stack. */
export interface LambdaService extends LocalService {
  readonly functions: LambdaFunctions;
}

/** Lambda: functions of Node.js and Python whose code is in the assembly, and the queues that they take from. */
export const LAMBDA: ServiceDefinition<LambdaService> = {
  resourceTypes: LAMBDA_RESOURCE_TYPES,
  open({ environment, resources, clock, ids, newRequestId, work, log, invoked, services }) {
    const extraEnvironment: Record<string, string> = {
      AWS_REGION: environment.region,
      // The SDK's notice about coming versions of Node is about the developer's machine, not the function's runtime.
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    };
    const inlineCode: string[] = [];
    const directoryOf = (code: FunctionCode, runtime: string): string => {
      if (code.kind === 'directory') return code.path;
      const directory = writeInlineCode(code.text, runtime.startsWith('python') ? 'index.py' : 'index.js');
      inlineCode.push(directory);
      return directory;
    };
    const functions = createLambdaFunctions({
      functions: resources.of(FUNCTION).map(({ code, ...spec }) => ({
        ...spec,
        directory: directoryOf(code, spec.runtime),
        // SDKs send to the host that the URL of a queue names.
        get environment() {
          return mapValues(spec.environment, text => services.withLocalUrls(text));
        },
      })),
      qualified: new Set(resources.inert.filter(isQualifier).flatMap(({ names }) => names)),
      notRun: resources.notRun,
      extraEnvironment,
      log: ({ functionName, text }) => log(functionName, text),
      ...(invoked && { invoked }),
    });
    const invocations = new Invocations(functions, work, ids.fork('invocations').uuid);
    let stopEventSources = () => {};
    return {
      functions,
      integrations: lambdaIntegrations(functions, { newRequestId, now: () => clock.now() }),
      route: lambdaRoute(functions),
      sdkName: 'LAMBDA',
      target: functionTarget(functions, work),
      wrapBlockingRequest: (traceHeader, answer) => invocations.wait(traceHeader, answer),
      start() {
        // Functions are loaded at their first invocation, so that each of them learns where the services are.
        Object.assign(extraEnvironment, services.endpointVariables());
        const { notRun } = resources;
        // The queue or the function is listed, and the mapping has nothing to do without it.
        const mappings = resources.of(EVENT_SOURCE_MAPPING).filter(({ queueArn, functionName }) => {
          return !findNotRun(notRun, queueArn) && !findNotRun(notRun, functionName);
        });
        const dependencies = { environment, clock, work, services, functions, invocations };
        stopEventSources = startEventSources(mappings, dependencies);
      },
      async close() {
        stopEventSources();
        await functions.close();
        for (const directory of inlineCode) rmSync(directory, { recursive: true, force: true });
      },
    };
  },
};

function isQualifier({ type }: { readonly type: string }): boolean {
  return type === 'AWS::Lambda::Version' || type === 'AWS::Lambda::Alias';
}

/** A directory with the text as its `index.js` or `index.py`, as CloudFormation makes it of a `ZipFile`. */
function writeInlineCode(text: string, file: string): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-function-'));
  writeFileSync(path.join(directory, file), text);
  return directory;
}

/** Functions as targets of rules: they are called once, and not waited for. */
export function functionTarget(
  functions: Pick<LambdaFunctions, 'find' | 'invoke'>,
  work: WorkTracker,
): RuleTarget {
  const underWay = new WeakMap<object, Promise<unknown>>();
  return {
    async deliver(functionArn, input) {
      if (!functions.find(functionArn)) throw noResource(`there is no function ${functionArn}`);
      work.begin();
      const answer = {};
      underWay.set(
        answer,
        // A transformer may have made plain text, which Lambda gets as a JSON string.
        functions.invoke(functionArn, jsonOr(input, input)).finally(() => work.end()),
      );
      return answer;
    },
    whenEnded: answer => underWay.get(answer as object),
  };
}

function mapValues(
  variables: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, change(value)]));
}
