/** The names of the members that lead from an execution's input to a value. */
export type InputPath = readonly string[];

const NAME = '(?:[A-Za-z_]\\w*|`[^`]+`)';
const MEMBERS = `(?:\\s*\\.\\s*${NAME})`;
const INPUT = '\\$states\\.(?:input|context\\.Execution\\.Input)';
const WHOLE = new RegExp(`^\\s*${INPUT}(${MEMBERS}+)\\s*$`);
/** A path, and the object that is made of its members: `$states.input.detail.{'amount': amount}`. */
const ANYWHERE = new RegExp(`${INPUT}(${MEMBERS}*)(?:\\.\\{([^{}]*)\\})?(?!\\w|\\s*[.([])`, 'g');

/** The path that a JSONata expression is; undefined for one that does more than to read one member of the input. */
export function inputPathOf(jsonata: string): InputPath | undefined {
  const members = WHOLE.exec(jsonata)?.[1];
  return members === undefined ? undefined : namesIn(members);
}

/**
 * Paths that an expression reads, as far as that can be seen without evaluating it: it may read others, too, and some
 * of these only at times.
 */
export function inputPathsIn(jsonata: string): readonly InputPath[] {
  return [...jsonata.matchAll(ANYWHERE)].flatMap(([, members = '', body]) => {
    const path = namesIn(members);
    if (body === undefined) return path.length === 0 ? [] : [path];
    const read = [...body.matchAll(new RegExp(`:\\s*(${NAME}${MEMBERS}*)\\s*(?=,|$)`, 'g'))];
    return read.map(([, below = '']) => [...path, ...namesIn(below)]);
  });
}

/** As an expression writes it: `$states.input.detail.orderId`. */
export function inputPathText(path: InputPath): string {
  const names = path.map(name => (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``));
  return ['$states.input', ...names].join('.');
}

function namesIn(members: string): InputPath {
  return (members.match(new RegExp(NAME, 'g')) ?? []).map(name => name.replace(/^`|`$/g, ''));
}
