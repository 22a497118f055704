// Templates of API Gateway, in Velocity. Nothing that a client sends is evaluated, or stands in them but as escaped
// text: every name and value passes `escapeJavaScript`, which writes what JSON needs, and `\'`, which JSON has not.

/** `$util.escapeJavaScript`, without what is not JSON. */
function escaped(reference: string): string {
  return `$util.escapeJavaScript(${reference}).replaceAll("\\\\'","'")`;
}

/** Sets a variable to the members of a JSON list of the names and values of one kind of parameter. */
function namesAndValues(variable: string, kind: 'header' | 'path' | 'querystring'): string {
  const one = `{\${q}name\${q}:\${q}\${n}\${q},\${q}value\${q}:\${q}\${v}\${q}}`;
  return (
    `#set($${variable}="")#set($comma="")#foreach($name in $input.params().${kind}.keySet())` +
    `#set($n=${escaped('$name')})#set($v=${escaped(`$input.params().${kind}.get($name)`)})` +
    `#set($${variable}="\${${variable}}\${comma}${one}")#set($comma=",")#end`
  );
}

/** The input of an execution has no more bytes; escaped, each character is one. */
const INPUT_LENGTH_MAX = 262_144;

/** The reference to a caller that IAM knows. */
export const IAM_CALLER = '$context.identity.userArn';

/** What the template of a request needs. */
export interface RequestTemplate {
  readonly stateMachineArn: string;
  /** A reference to the principal, such as `$context.authorizer.principalId`; undefined: callers are unknown. */
  readonly principal: string | undefined;
  /** The name of the path parameter that holds the requested result; undefined: the request must be carried out. */
  readonly asked: string | undefined;
}

/** The body of a StartSyncExecution: the request as the front door reads it, in text. */
export function requestTemplate({ stateMachineArn, principal, asked }: RequestTemplate): string {
  const text = (variable: string, reference: string) => `#set($${variable}=${escaped(reference)})`;
  const member = (name: string, variable: string) => `\${q}${name}\${q}:\${q}\${${variable}}\${q}`;
  const list = (name: string, variable: string) => `\${q}${name}\${q}:[\${${variable}}]`;
  const members = [
    list('headers', 'headers'),
    list('path', 'path'),
    list('query', 'query'),
    member('principal', 'principal'),
    member('url', 'url'),
    ...(asked === undefined ? [member('body', 'body')] : [member('asked', 'asked')]),
  ];
  return [
    `#set($q='"')`,
    namesAndValues('headers', 'header'),
    namesAndValues('path', 'path'),
    namesAndValues('query', 'querystring'),
    // In quotes, so that what is not there is text as well.
    `#set($who="${principal ?? ''}")`,
    // All users of a Cognito identity pool have the ARN of one role, with one session; each has an id with a colon.
    principal === IAM_CALLER
      ? '#set($user="$!context.identity.cognitoIdentityId")#if($user.contains(":"))#set($who=$user)#end'
      : '',
    text('principal', '$who'),
    text('url', '$context.path'),
    // An empty body may be nothing, which is not assigned.
    '#set($body="")',
    asked === undefined
      ? `#if($input.body.length()>${INPUT_LENGTH_MAX})#set($long="true")#else${text('body', '$input.body')}#end`
      : text('asked', `$input.params().path.get("${asked}")`),
    `#set($request="{${members.join(',')}}")`,
    // StartSyncExecution would reject it, which looks like a start that may be tried again.
    `#if($long||$request.length()>${INPUT_LENGTH_MAX})` +
      `#set($request="{${member('principal', 'principal')},\${q}tooLong\${q}:true}")#end`,
    `{"stateMachineArn":"${stateMachineArn}","input":"${escaped('$request')}"}`,
  ].join('');
}

/** What an answer says when the front door has none, or API Gateway did not reach it: the same as `Not started`. */
export interface FallbackAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string;
}

/** The answer out of that of StartSyncExecution: whose execution failed, or timed out, is answered with `fallback`. */
export function responseTemplate(headers: readonly string[], fallback: FallbackAnswer): string {
  const override = (name: string) =>
    `#if($answer.headers.get("${name}"))` +
    `#set($context.responseOverride.header.${name}=$answer.headers.get("${name}"))#end`;
  return (
    `#set($ended=$input.path('$'))#if($ended.status=="SUCCEEDED")#set($answer=$util.parseJson($ended.output))` +
    `#set($context.responseOverride.status=$answer.status)${headers.map(override).join('')}` +
    `\${answer.body}#else#set($context.responseOverride.status=${fallback.status})` +
    `#set($context.responseOverride.header.Content-Type="application/problem+json")` +
    `#set($context.responseOverride.header.Retry-After="${fallback.retryAfter}")` +
    // In single quotes a `#` begins no directive.
    `#set($problem='${fallback.body}')\${problem}#end`
  );
}
