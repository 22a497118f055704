import jsonata from 'jsonata206';
import { expression, jsonText } from '../contract/jsonata';

/**
 * The payload of an invocation whose handler gets what `source` gives, as an expression.
 *
 * Step Functions sends an object or a list as JSON. A text it sends as it stands, so that Lambda rejects `order-7` and
 * a handler gets the number of `'7'`; a number or a boolean it rejects, and nothing catches that
 * (https://stackoverflow.com/questions/76373088). All three are sent as their JSON text instead. A number that 15
 * digits do not hold has no such text in JSONata: the evaluation fails, as it does where there is nothing.
 */
export function invokePayload(source: string): string {
  if (isDocument(source)) return expression(source);
  // In a block, which keeps what it binds; not first in it, where JSONata 2.0.6 takes a regular expression for a
  // division.
  return expression(`( $given := (0; ${source}); ${PAYLOAD} )`);
}

const PAYLOAD =
  `$type($given) in ['string', 'boolean', 'null'] ? ${jsonText('$given')} : ` +
  "$not($type($given) = 'number') ? $given : $number($string($given)) = $given ? $string($given) : " +
  '$floor($given) = $given and $abs($given) <= 9007199254740991 ? $formatBase($given, 10) : ' +
  "$error('stepInput is a number of more than 15 digits: put it into an object')";

/** Whether an expression is written as an object or a list: as all of it, and not as what is picked out of it. */
function isDocument(source: string): boolean {
  const { type, value, predicate } = jsonata(source).ast() as {
    readonly type: string;
    readonly value?: unknown;
    readonly predicate?: unknown;
  };
  return type === 'unary' && (value === '{' || value === '[') && predicate === undefined;
}
