import { likeness } from './likeness';
import type { NamedResource } from './read-resources';

/** The resource that was meant, or why there is no such one, in words. */
export type ResourceSearch =
  | { readonly kind: 'found'; readonly resource: NamedResource }
  | { readonly kind: 'problem'; readonly message: string };

/** How many near names a message lists. */
const LISTED_MAX = 8;

/**
 * The resource of a construct, by the construct's path: `Shop/Orders`, as `construct.node.path` has it. The `Resource`
 * at its end may be left out, and so may the beginning, where the rest of the path is enough.
 *
 * The path of a construct that is made of several resources means the one of them that has the type asked for, or the
 * only one.
 */
export function findResource(
  resources: readonly NamedResource[],
  path: string,
  type?: string,
): ResourceSearch {
  const wanted = path.replace(/^\/|\/$/g, '').replace(/\/(?:Resource|Default)$/, '');
  const typed = resources.filter(resource => type === undefined || resource.type === type);
  const candidates = [
    typed.filter(({ constructPath }) => constructPath === wanted),
    typed.filter(({ constructPath }) => `/${constructPath}`.endsWith(`/${wanted}`)),
    typed.filter(({ constructPath }) => constructPath.startsWith(`${wanted}/`)),
    typed.filter(({ constructPath }) => `/${constructPath}`.includes(`/${wanted}/`)),
  ];
  const found = candidates.find(each => each.length > 0) ?? [];
  const [resource] = found;
  if (resource && found.length === 1) return { kind: 'found', resource };
  const what = type === undefined ? 'resource' : type;
  if (resource) {
    const message = `${path} matches several constructs; pass the whole path of one: ${listed(found)}`;
    return { kind: 'problem', message };
  }
  const other = type === undefined ? undefined : findResource(resources, path);
  if (other?.kind === 'found') {
    return { kind: 'problem', message: `${path} is not of the type ${type}, but an ${other.resource.type}` };
  }
  const known = nearest(wanted, typed);
  const rest = known.length === 0 ? 'there is none in the assembly' : `near it: ${listed(known)}`;
  return { kind: 'problem', message: `no ${what} has the construct path ${path}; ${rest}` };
}

function listed(resources: readonly NamedResource[]): string {
  const shown = resources.slice(0, LISTED_MAX);
  const names = shown.map(({ constructPath, type }) => `${constructPath} (${type})`);
  const left = resources.length - shown.length;
  return [...names, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}

/** Permissions and parts of other resources, which are never asked for by name. */
const MINOR = new RegExp(
  `^AWS::(?:${[
    'IAM|Logs|CDK|KMS|ApiGateway::(?!RestApi)|Lambda::(?:Permission|Version|EventSource)',
    'S3::.*Policy|SQS::QueuePolicy|SNS::(?:TopicPolicy|Subscription)',
  ].join('|')})`,
);

/** The resources whose paths are most like what was asked for, nearest first. */
function nearest(wanted: string, resources: readonly NamedResource[]): NamedResource[] {
  return resources
    .filter(({ type }) => !MINOR.test(type))
    .map(resource => ({ resource, likeness: likeness(wanted, resource.constructPath) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, LISTED_MAX)
    .map(({ resource }) => resource);
}
