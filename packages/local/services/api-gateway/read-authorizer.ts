import type { Read, ResourceReader, ResourceSpec } from '../../assembly/types';

/** Who says who a caller is, as a template deploys it. */
export interface AuthorizerSpec extends ResourceSpec {
  readonly id: string;
  readonly type: 'TOKEN' | 'REQUEST' | 'COGNITO_USER_POOLS';
  /** The function that authorizes; absent with a user pool, which is not called here. */
  readonly functionArn?: string;
  /** The place of the token, or the required sources, e.g. `method.request.header.Authorization`. */
  readonly identitySources: readonly string[];
}

/** AWS::ApiGateway::Authorizer. */
export function readAuthorizer(resource: ResourceReader, id: string): Read<AuthorizerSpec> {
  const type = resource.oneOf('Type', ['TOKEN', 'REQUEST', 'COGNITO_USER_POOLS']) ?? 'TOKEN';
  const functionArn = functionIn(resource.optionalText('AuthorizerUri') ?? '');
  if (type !== 'COGNITO_USER_POOLS' && functionArn === undefined) {
    resource.problem('AuthorizerUri', 'must name a Lambda function');
  }
  const sources = resource.optionalText('IdentitySource') ?? '';
  return {
    id,
    type,
    ...(functionArn !== undefined && { functionArn }),
    identitySources: sources.split(',').flatMap(source => source.trim() || []),
  };
}

/** The function's ARN in the URI of an integration or an authorizer; undefined where there is none. */
export function functionIn(uri: string): string | undefined {
  return /:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/.exec(uri)?.[1];
}
