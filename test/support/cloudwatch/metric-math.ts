/** A value of one period; undefined where there is no data. */
type Value = number | undefined;

/**
 * What a metric math expression gives for one period: `+ - * /`, comparisons, parentheses, numbers, ids, `FILL(id, n)`
 * and `IF(condition, then, else)`. Whatever is made of missing data is missing, and so is a division by zero.
 *
 * @throws Error for what else the syntax has
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export function evaluateMath(expression: string, dataOf: (id: string) => Value): Value {
  const tokens = expression.match(/[a-z]\w*|[A-Z]+|\d+(?:\.\d+)?|>=|<=|==|[-+*/(),<>]|\S/g) ?? [];
  const value = comparison(tokens, dataOf);
  if (tokens.length > 0) throw new Error(`not understood: ${tokens.join(' ')} in ${expression}`);
  return value;
}

type Operation = (a: number, b: number) => Value;

const COMPARISONS: Readonly<Record<string, Operation>> = {
  '>': (a, b) => Number(a > b),
  '>=': (a, b) => Number(a >= b),
  '<': (a, b) => Number(a < b),
  '<=': (a, b) => Number(a <= b),
  '==': (a, b) => Number(a === b),
};
const SUMS: Readonly<Record<string, Operation>> = { '+': (a, b) => a + b, '-': (a, b) => a - b };
const PRODUCTS: Readonly<Record<string, Operation>> = {
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0 ? undefined : a / b),
};

type Reader = (tokens: string[], dataOf: (id: string) => Value) => Value;

/** Reads operands with these operators between them. */
function chain(operations: Readonly<Record<string, Operation>>, operand: Reader): Reader {
  return (tokens, dataOf) => {
    let value = operand(tokens, dataOf);
    for (let apply = operations[tokens[0] ?? '']; apply; apply = operations[tokens[0] ?? '']) {
      tokens.shift();
      const other = operand(tokens, dataOf);
      value = value === undefined || other === undefined ? undefined : apply(value, other);
    }
    return value;
  };
}

const product = chain(PRODUCTS, term);
const sum = chain(SUMS, product);
const comparison = chain(COMPARISONS, sum);

function term(tokens: string[], dataOf: (id: string) => Value): Value {
  const token = tokens.shift() ?? '';
  if (/^\d/.test(token)) return Number(token);
  if (/^[a-z]/.test(token)) return dataOf(token);
  if (token === '(') return parenthesized(tokens, dataOf)[0];
  tokens.shift();
  const given = parenthesized(tokens, dataOf);
  if (token === 'FILL') return given[0] ?? given[1];
  if (token === 'IF') return given[0] === undefined ? undefined : given[0] === 0 ? given[2] : given[1];
  throw new Error(`not understood: ${token}`);
}

function parenthesized(tokens: string[], dataOf: (id: string) => Value): readonly Value[] {
  const values: Value[] = [];
  do values.push(comparison(tokens, dataOf));
  while (tokens[0] === ',' && tokens.shift());
  if (tokens.shift() !== ')') throw new Error('a parenthesis is not closed');
  return values;
}
