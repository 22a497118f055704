import { Duration } from 'aws-cdk-lib';
import {
  AwsIntegration,
  type CfnMethod,
  type CorsOptions,
  EndpointType,
  type IResource,
  type Method,
  type MethodOptions,
  PassthroughBehavior,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { adviseKey } from '../../state-machine/expression/key-expressions';
import { adviseExactness } from '../../state-machine/expression/step-input-and-result';
import { READS_AT_ONCE } from '../../state-machine/front-door/front-door-states';
import { PROBLEM, problemDocument } from '../../state-machine/front-door/problems';
import { LOCATION_PATH } from '../../state-machine/front-door/result-location';
import { keptPayloadOf } from '../../state-machine/options/keep-payload';
import { atSynthesis } from '../../state-machine/template/at-synthesis';
import { requireUnchanged } from '../../state-machine/template/require-unchanged';
import { acknowledge, FINDING } from '../cdk/acknowledge';
import { grantData } from '../cdk/customer-key';
import { requireOwn } from '../cdk/resource-bounds';
import { FrontDoor } from '../nested/front-door';
import { requireKnown } from '../validation/kinds';
import { adviseCallers, adviseOpenMethod, advisePath, adviseSecondResource } from './http-advice';
import { addPreflight, corsOf, originTemplate, pageHeaders, wordOwnAnswers } from './http-cors';
import { readRequests } from './http-request';
import type { HttpSourceOptions } from './http-source-options';
import { requestTemplate, responseTemplate } from './http-templates';
import {
  ANSWER_HEADERS,
  principalOf,
  problemTypeOf,
  requireKeyOfTheSource,
  requireTimeOfCall,
  requireWait,
  responseOf,
  validateHttp,
} from './validate-http';
import type { IStartableWorkflow, IWorkflowSource } from './workflow-source';

/**
 * Starts the workflow for every request of a method, and answers with what becomes of it.
 *
 * @example
 * workflow.startFrom(Source.http('payments'));
 */
export class HttpSource implements IWorkflowSource {
  readonly id: string;
  private bound: RestApi | undefined;

  /** @throws Error for a value that is neither a resource nor a path, and for an unknown option */
  constructor(
    private readonly resource: IResource | string,
    private readonly options: HttpSourceOptions,
    private readonly readsAtOnce: number = READS_AT_ONCE,
  ) {
    validateHttp(resource, options);
    const { id = typeof resource === 'string' ? 'Http' : `Http${resource.node.id}` } = options;
    this.id = id;
  }

  /** The API that was made for a path. @throws Error before `startFrom`, and for a resource of the app's own */
  get api(): RestApi {
    if (this.bound) return this.bound;
    throw new Error(
      '`api` is the API that `startFrom` creates for a path. Pass a path, or use the API of your resource',
    );
  }

  bind(scope: Construct, workflow: IStartableWorkflow): void {
    const { reading } = workflow;
    const isExpress = workflow.outcomes === undefined;
    const { options } = this;
    const { executionNames, delivery, onDuplicateInProgress, onFailedBefore, results } = reading.options;
    const { key, payload } = reading.keyAndPayload;
    if (options.input === undefined) requireKeyOfTheSource(key);
    requireWait(options.waitUpTo);
    const { waitUpTo = Duration.seconds(20), errors = {} } = options;
    if (isExpress) atSynthesis(scope, () => requireTimeOfCall(waitUpTo, reading.runTime.seconds()));
    if (typeof this.resource !== 'string') requireOwn('Source.http', this.resource.api, '', scope);
    const resource = this.resourceIn(scope);
    const authorization = authorizationOf(options.methodOptions, resource.defaultMethodOptions);
    requireKnown('methodOptions.authorizationType', authorization.authorizationType);
    requireKnown('methodOptions.apiKeyRequired', authorization.apiKeyRequired);
    const principal = principalOf(options.principal, authorization);
    const { requestKey, input, parameters = [], compared } = readRequests(options, reading, resource.path);
    if (requestKey.kind === 'expression') adviseKey(scope, requestKey.expressions);
    adviseExactness(scope, { input: input?.text });
    adviseOpenMethod(scope, authorization);
    // Without an authorizer there is one caller.
    if (input && principal !== undefined) adviseCallers(scope, compared);
    advisePath(scope, compared, resource.path, parameters);
    adviseSecondResource(scope, compared, workflow, `${options.method ?? 'POST'} ${resource.path}`);
    const frontDoor = new FrontDoor(scope, 'FrontDoor', {
      ...reading,
      isExpress,
      scope: reading.recordScope,
      key,
      executionNames: executionNames ?? 'readable',
      payload: payload?.jsonata,
      keptPayload: keptPayloadOf(reading.options.keepPayload, payload?.jsonata, key),
      isAtMostOnce: delivery === 'at-most-once',
      returnsStoredFailure: onFailedBefore?.isReturned ?? false,
      returnedErrors: onFailedBefore?.errors,
      waitsForFirst: onDuplicateInProgress?.total !== undefined,
      requestKey,
      input: input?.jsonata,
      needsPrincipal: principal !== undefined,
      waitUpTo,
      readsAtOnce: this.readsAtOnce,
      results,
      response: responseOf(options.response),
      errors,
      problemType: problemTypeOf(options.problems),
    });
    this.addMethods(scope, resource, frontDoor.stateMachine, { principal, isExpress });
  }

  private addMethods(
    scope: Construct,
    resource: IResource,
    stateMachine: StateMachine,
    { principal, isExpress }: { readonly principal: string | undefined; readonly isExpress: boolean },
  ): void {
    const { method = 'POST', methodOptions = {}, response, cors, header, problems } = this.options;
    const problemType = problemTypeOf(problems);
    // A question lacks the required parts of a request: it would be rejected.
    const { operationName, requestParameters, requestModels, requestValidator, ...others } = methodOptions;
    const { requestValidatorOptions, ...guards } = others;
    // API Gateway does not say for which account it assumes the role: a condition would fail each request.
    const role = new Role(scope, 'Caller', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
    stateMachine.grantStartSyncExecution(role);
    grantData(stateMachine, role);
    const headers = [...new Set([...ANSWER_HEADERS, ...Object.keys(responseOf(response)?.headers ?? {})])];
    const asked = 'request';
    // Without a 202 there is nothing to ask for.
    const location = isExpress
      ? undefined
      : (resource.getResource(LOCATION_PATH) ?? resource.addResource(LOCATION_PATH));
    if (location?.getResource(`{${asked}}`)) {
      throw new Error(
        `${resource.path} already has a method of \`Source.http\`. Use another resource for this one`,
      );
    }
    const page = cors && corsOf(cors, { headers, sent: [header ?? 'Idempotency-Key'] });
    const add = (at: IResource, name: string, parameter?: string) => {
      const template = requestTemplate({
        stateMachineArn: stateMachine.stateMachineArn,
        principal,
        asked: parameter,
      });
      // A cache on the way knows no callers.
      const fixed: Readonly<Record<string, string>> = {
        ...(parameter !== undefined && { 'Cache-Control': 'no-store' }),
        ...(page && pageHeaders(page)),
      };
      const added = at.addMethod(
        name,
        integration(template, { headers, role, cors: page, fixed, problemType }),
        {
          ...(parameter === undefined ? methodOptions : guards),
          methodResponses: methodResponses([...headers, ...Object.keys(fixed)]),
        },
      );
      requireItsAuthorization(added);
      if (page) addPreflight(at, { ...page, allowMethods: [name] });
    };
    add(resource, method);
    if (location) add(location.addResource(`{${asked}}`), 'GET', asked);
    if (this.bound) wordOwnAnswers(this.bound, page, problemType);
  }

  private resourceIn(scope: Construct): IResource {
    if (typeof this.resource !== 'string') return this.resource;
    const { rateLimit = 50, burstLimit = 100 } = this.options.throttle ?? {};
    this.bound = new RestApi(scope, 'Api', {
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      // Far below the starts that an account has in a second, which all of its workflows share.
      deployOptions: { throttlingRateLimit: rateLimit, throttlingBurstLimit: burstLimit },
      // It would change the role that all of the account's APIs log with.
      cloudWatchRole: false,
      description: 'Requests, each carried out once per idempotency key',
    });
    acknowledge(
      this.bound,
      FINDING.notValidated,
      'the front door reads each request, and rejects invalid ones',
    );
    for (const finding of [FINDING.noAccessLog, FINDING.noStageLog]) {
      acknowledge(
        this.bound,
        finding,
        'it takes a role of the whole account; an app that has one brings its API',
      );
    }
    return this.bound.root.resourceForPath(this.resource);
  }
}

/** How callers are authorized, as the CDK has it: an option that is undefined leaves the API's own. */
function authorizationOf(method: MethodOptions = {}, api: MethodOptions = {}): MethodOptions {
  const { authorizationType = api.authorizationType, authorizer = api.authorizer } = method;
  const { apiKeyRequired = api.apiKeyRequired } = method;
  return { authorizationType, authorizer, apiKeyRequired };
}

/** The caller is read as the method authorizes it: a method of everybody would let callers share their keys. */
function requireItsAuthorization(method: Method): void {
  const { authorizationType, apiKeyRequired } = method.node.defaultChild as CfnMethod;
  const remedy = 'Set it in `methodOptions`';
  requireUnchanged(method, { 'AWS::ApiGateway::Method': ['AuthorizationType'] }, authorizationType, remedy);
  requireUnchanged(method, { 'AWS::ApiGateway::Method': ['ApiKeyRequired'] }, apiKeyRequired, remedy);
}

function methodResponses(headers: readonly string[]) {
  const responseParameters = Object.fromEntries(
    headers.map(name => [`method.response.header.${name}`, false]),
  );
  return ['200', String(PROBLEM.notStarted.status)].map(statusCode => ({ statusCode, responseParameters }));
}

/** What the integrations of a source have in common. */
interface Integrated {
  readonly headers: readonly string[];
  readonly role: Role;
  readonly cors: CorsOptions | undefined;
  /** Headers that every answer has, as texts. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly problemType: string;
}

/**
 * StartSyncExecution of the front door; an answer that is not the front door's becomes a problem document, never 200.
 */
function integration(
  template: string,
  { headers, role, cors, fixed, problemType }: Integrated,
): AwsIntegration {
  const { notStarted } = PROBLEM;
  const fallback = {
    status: notStarted.status,
    body: problemDocument(problemType, notStarted),
    retryAfter: String(notStarted.retryAfter),
  };
  const responseParameters = inQuotes(fixed);
  const origin = cors ? originTemplate(cors.allowOrigins) : '';
  return new AwsIntegration({
    service: 'states',
    action: 'StartSyncExecution',
    integrationHttpMethod: 'POST',
    options: {
      credentialsRole: role,
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: { 'application/json': template },
      timeout: Duration.seconds(29),
      integrationResponses: [
        {
          statusCode: '200',
          selectionPattern: '2\\d{2}',
          responseParameters,
          responseTemplates: { 'application/json': origin + responseTemplate(headers, fallback) },
        },
        // Whatever else: StartSyncExecution was throttled, rejected, or not reached.
        {
          statusCode: String(fallback.status),
          responseParameters: {
            ...responseParameters,
            ...inQuotes({ 'Content-Type': 'application/problem+json', 'Retry-After': fallback.retryAfter }),
          },
          responseTemplates: { 'application/json': `${origin}#set($problem='${fallback.body}')\${problem}` },
        },
      ],
    },
  });
}

/** Headers as an integration response maps them: texts in single quotes. */
function inQuotes(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, `'${value}'`]),
  );
}
