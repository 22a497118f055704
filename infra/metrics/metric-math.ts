import { type IMetric, MathExpression, type MathExpressionOptions } from 'aws-cdk-lib/aws-cloudwatch';

/** The sum of some metrics, each named by its index. A metric without data counts as 0. */
export function total(
  nameOf: (index: number) => string,
  metrics: readonly IMetric[],
  props?: MathExpressionOptions,
): MathExpression {
  return difference(nameOf, metrics, [], props);
}

/** A sum without others. A metric without data counts as 0. */
export function difference(
  nameOf: (index: number) => string,
  plus: readonly IMetric[],
  minus: readonly IMetric[],
  props?: MathExpressionOptions,
): MathExpression {
  const terms = [...plus, ...minus].map((metric, index) => {
    const sign = index >= plus.length ? ' - ' : index > 0 ? ' + ' : '';
    return { name: nameOf(index), metric, sign };
  });
  return new MathExpression({
    expression: terms.map(term => `${term.sign}FILL(${term.name}, 0)`).join(''),
    usingMetrics: Object.fromEntries(terms.map(term => [term.name, term.metric])),
    ...props,
  });
}
