import { isJsonObject, type Json } from '../../json/json';

/** A value as Java prints it, which the service shows in texts: `{name=value, list=[1, 2]}`, and texts as they are. */
export function javaText(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return javaNumber(value);
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, member]) => `${name}=${javaText(member)}`);
    return `{${members.join(', ')}}`;
  }
  return String(value);
}

/** A number as Java prints it: whole ones in digits, others below 0.001 and from 10,000,000 on as `1.5E-7`. */
export function javaNumber(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e21) return String(value);
  if (size >= 1e-3 && size < 1e7) return String(value);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`;
}
