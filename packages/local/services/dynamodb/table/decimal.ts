import { RequestError } from './request-error';

/** Significant digits that a DynamoDB number may have. */
const DIGITS_MAX = 38;
/** The greatest and the smallest power of ten of a number's first digit. */
const MAGNITUDE_MAX = 125;
const MAGNITUDE_MIN = -130;

/** A decimal number, exactly: `digits` times ten to the power of `exponent`, without zeros at the end of `digits`. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** The number in a text. @throws RequestError in DynamoDB's words, if there is none or it is beyond DynamoDB's range */
export function parseDecimal(text: string): Decimal {
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  if (whole + fraction === '') {
    const shown = text === '' ? '' : `: ${text}`;
    throw new RequestError(`The parameter cannot be converted to a numeric value${shown}`);
  }
  // Counted in the text before anything is calculated: a request may write a number with millions of digits.
  const written = whole + fraction;
  const end = endWithoutZeros(written);
  const significant = written.slice(0, end).replace(/^0+/, '');
  if (significant === '') return { digits: 0n, exponent: 0 };
  const exponent = Number(power) - fraction.length + (written.length - end);
  requireRange(significant.length, exponent);
  return { digits: BigInt(significant) * (sign === '-' ? -1n : 1n), exponent };
}

function endWithoutZeros(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return end;
}

/** The sum. @throws RequestError where it has too many digits */
export function plus(a: Decimal, b: Decimal): Decimal {
  const { left, right, exponent } = aligned(a, b);
  return checked({ digits: left + right, exponent });
}

/** The number with the other sign. */
export function negated({ digits, exponent }: Decimal): Decimal {
  return { digits: -digits, exponent };
}

/** Below zero where `a` is less than `b`, zero where they are equal, else above zero. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const { left, right } = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The one text that DynamoDB gives a number: without exponent and without needless zeros. */
export function decimalText({ digits, exponent }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits);
  if (exponent >= 0) return `${sign}${text}${'0'.repeat(text === '0' ? 0 : exponent)}`;
  const padded = text.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** The same of a number as it is written. @throws RequestError as `parseDecimal` */
export function canonicalDecimal(text: string): string {
  return WHOLE.test(text) ? text : decimalText(parseDecimal(text));
}

/** A whole number that is in DynamoDB's range, and written as DynamoDB would. */
const WHOLE = new RegExp(`^(?:0|-?[1-9]\\d{0,${DIGITS_MAX - 1}})$`);

function checked(number: Decimal): Decimal {
  const exact = withoutZeros(number);
  requireRange(String(exact.digits < 0n ? -exact.digits : exact.digits).length, exact.exponent);
  return exact;
}

/** @throws RequestError for a number of so many significant digits, times ten to the power of `exponent` */
function requireRange(length: number, exponent: number): void {
  const magnitude = exponent + length - 1;
  const range = 'Attempting to store a number with magnitude';
  if (magnitude > MAGNITUDE_MAX)
    throw new RequestError(`Number overflow. ${range} larger than supported range`);
  if (magnitude < MAGNITUDE_MIN)
    throw new RequestError(`Number underflow. ${range} smaller than supported range`);
  if (length > DIGITS_MAX) {
    throw new RequestError(`Attempting to store more than ${DIGITS_MAX} significant digits in a Number`);
  }
}

function withoutZeros({ digits, exponent }: Decimal): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  let [rest, power] = [digits, exponent];
  for (; rest % 10n === 0n; power += 1) rest /= 10n;
  return { digits: rest, exponent: power };
}

function aligned(a: Decimal, b: Decimal) {
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (number: Decimal) => number.digits * 10n ** BigInt(number.exponent - exponent);
  return { left: scaled(a), right: scaled(b), exponent };
}
