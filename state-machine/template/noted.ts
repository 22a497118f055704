import { Construct, type IConstruct } from 'constructs';

/**
 * A note about a construct, in the construct tree: it lasts as long as the construct, and every copy of the
 * package sees it.
 *
 * @param what tells notes of one construct apart
 * @param initial the note, if there is none
 */
export function noted<Value>(about: IConstruct, what: string, initial: () => Value): Value {
  const id = `Onceflow${what}`;
  const known = about.node.tryFindChild(id) as Note<Value> | undefined;
  return (known ?? new Note(about as Construct, id, initial())).value;
}

/** Whether something is noted about a construct. */
export function isNoted({ node }: IConstruct, what: string): boolean {
  return node.tryFindChild(`Onceflow${what}`) !== undefined;
}

class Note<Value> extends Construct {
  constructor(
    scope: Construct,
    id: string,
    readonly value: Value,
  ) {
    super(scope, id);
  }
}
