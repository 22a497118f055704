import { Duration } from 'aws-cdk-lib';
import {
  AwsIntegration,
  EndpointType,
  type IResource,
  PassthroughBehavior,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { REPLAYED } from '../../state-machine/front-door/answers';
import { PLACE } from '../../state-machine/front-door/location';
import { PROBLEM, problemDocument } from '../../state-machine/front-door/problems';
import { requestSource } from '../../state-machine/front-door/request';
import { keySource, payloadSource } from '../../state-machine/user-expression';
import { grantCustomerKey } from '../private/customer-key';
import { FrontDoor } from '../private/front-door';
import { requestTemplate, responseTemplate } from '../private/http-templates';
import type { HttpSourceOptions } from './http-source-options';
import type { IStartableWorkflow, IWorkflowSource } from './source';
import { principalOf, requireKeyOfTheSource, responseOf, validateHttp } from './validate-http';

/** Starts the workflow for every request of a method, and answers with what becomes of it. */
export class HttpSource implements IWorkflowSource {
  readonly id: string;
  private bound: RestApi | undefined;

  /** @throws Error for what is no resource and no path, and for an option that there is not */
  constructor(
    private readonly resource: IResource | string,
    private readonly options: HttpSourceOptions,
  ) {
    validateHttp(resource, options);
    this.id = options.id ?? (typeof resource === 'string' ? 'Http' : `Http${resource.node.id}`);
  }

  /** The API that was made for a path. @throws Error before `startFrom`, and for a resource of the app's own */
  get api(): RestApi {
    if (this.bound) return this.bound;
    throw new Error('`api` is the API that `startFrom` has made for a path; a resource has its own');
  }

  bind(scope: Construct, workflow: IStartableWorkflow): void {
    const { outcomes } = workflow;
    if (!outcomes) {
      throw new Error(
        '`Source.http` needs a STANDARD workflow: an Express one has no names, so that two requests at once would ' +
          "both start it; leave `type: 'EXPRESS'` out",
      );
    }
    const { options } = this;
    const { idempotencyKey, payload, delivery, onDuplicateInProgress, onFailedBefore } = outcomes.options;
    if (options.input === undefined) requireKeyOfTheSource(idempotencyKey);
    const { waitUpTo = Duration.seconds(20), errors = {} } = options;
    const resource = this.resourceIn(scope);
    const principal = principalOf(options.principal, {
      ...resource.defaultMethodOptions,
      ...options.methodOptions,
    });
    const frontDoor = new FrontDoor(scope, 'FrontDoor', {
      ...outcomes,
      scope: outcomes.recordScope,
      key: keySource(idempotencyKey),
      payload: payloadSource(payload),
      isAtMostOnce: delivery === 'at-most-once',
      returnsStoredFailure: onFailedBefore?.isReturned ?? false,
      waitsForFirst: onDuplicateInProgress?.total !== undefined,
      requestKey:
        options.idempotencyKey === undefined
          ? { kind: 'header', name: options.header ?? 'Idempotency-Key' }
          : { kind: 'expression', jsonata: requestSource(options.idempotencyKey, 'idempotencyKey') },
      input: options.input === undefined ? undefined : requestSource(options.input, 'input'),
      needsPrincipal: principal !== undefined,
      waitUpTo,
      response: responseOf(options.response),
      errors,
    });
    grantCustomerKey(outcomes.stateMachine, frontDoor.stateMachine);
    this.addMethods(scope, resource, frontDoor.stateMachine, principal);
  }

  private addMethods(
    scope: Construct,
    resource: IResource,
    stateMachine: StateMachine,
    principal: string | undefined,
  ): void {
    const { method = 'POST', methodOptions = {}, response } = this.options;
    const role = new Role(scope, 'Caller', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
    stateMachine.grantStartSyncExecution(role);
    const headers = [...HEADERS, ...Object.keys(response?.headers ?? {})];
    const asked = 'request';
    const add = (at: IResource, name: string, parameter?: string) => {
      const template = { stateMachineArn: stateMachine.stateMachineArn, principal, asked: parameter };
      at.addMethod(name, integration(requestTemplate(template), headers, role), {
        ...methodOptions,
        methodResponses: methodResponses(headers),
      });
    };
    add(resource, method);
    const place = resource.getResource(PLACE) ?? resource.addResource(PLACE);
    add(place.addResource(`{${asked}}`), 'GET', asked);
  }

  private resourceIn(scope: Construct): IResource {
    if (typeof this.resource !== 'string') return this.resource;
    this.bound = new RestApi(scope, 'Api', {
      endpointConfiguration: { types: [EndpointType.REGIONAL] },
      description: 'Requests, each carried out once per idempotency key',
    });
    return this.bound.root.resourceForPath(this.resource);
  }
}

/** The headers that every answer may have. */
const HEADERS = ['Content-Type', 'Location', 'Retry-After', REPLAYED];

function methodResponses(headers: readonly string[]) {
  const responseParameters = Object.fromEntries(
    headers.map(name => [`method.response.header.${name}`, false]),
  );
  return ['200', String(PROBLEM.notStarted.status)].map(statusCode => ({ statusCode, responseParameters }));
}

/** StartSyncExecution of the front door; what is no answer of it becomes a problem document, never 200. */
function integration(template: string, headers: readonly string[], credentialsRole: Role): AwsIntegration {
  const { notStarted } = PROBLEM;
  const fallback = {
    status: notStarted.status,
    body: problemDocument(notStarted),
    retryAfter: String(notStarted.retryAfter),
  };
  return new AwsIntegration({
    service: 'states',
    action: 'StartSyncExecution',
    integrationHttpMethod: 'POST',
    options: {
      credentialsRole,
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: { 'application/json': template },
      timeout: Duration.seconds(29),
      integrationResponses: [
        {
          statusCode: '200',
          selectionPattern: '2\\d{2}',
          responseTemplates: { 'application/json': responseTemplate(headers, fallback) },
        },
        // Whatever else: StartSyncExecution was throttled, refused, or not reached.
        {
          statusCode: String(fallback.status),
          responseParameters: {
            'method.response.header.Content-Type': "'application/problem+json'",
            'method.response.header.Retry-After': `'${fallback.retryAfter}'`,
          },
          responseTemplates: { 'application/json': `#set($problem='${fallback.body}')\${problem}` },
        },
      ],
    },
  });
}
