/**
 * A resource of a template that the local stack does not run, though AWS would.
 *
 * @example
 * for (const { logicalId, type } of stack.notRun) console.log(`${logicalId} (${type}) is not run`);
 */
export interface NotRunResource {
  readonly logicalId: string;
  readonly type: string;
  /** The name of its stack. */
  readonly stack: string;
  /** What it is called and referred to by: its name, its ARN, its URL. Empty for a type that is not known. */
  readonly names: readonly string[];
  /** Why it is not run, e.g. `it has the runtime ruby3.3`. Absent where nothing of its type is run. */
  readonly reason?: string;
}

/** The one among `resources` that a name, an ARN or a URL calls. Of a URL only the path counts. */
export function findNotRun(
  resources: readonly NotRunResource[],
  nameOrArnOrUrl: string,
): NotRunResource | undefined {
  const path = pathOf(nameOrArnOrUrl);
  return resources.find(({ names }) => names.some(name => pathOf(name) === path));
}

/** Why a call of a resource is rejected: `Main/Report is not run here: it has the runtime ruby3.3`. */
export function describeNotRun({ stack, logicalId, type, reason }: NotRunResource): string {
  return `${stack}/${logicalId} is not run here: ${reason ?? `nothing of type ${type} is`}`;
}

function pathOf(name: string): string {
  return name.replace(/^https?:\/\/[^/]*/, '');
}
