import { usage } from './refusal';

/**
 * The JSON value of a text.
 *
 * @throws Refusal that says where the text is wrong, and never what it says; also for whole numbers that would be
 * rounded on their way
 */
export function inputIn(text: string): unknown {
  const withoutMark = text.replace(/^\uFEFF/, '');
  if (withoutMark.trim() === '') throw usage('--input is empty; an input is a JSON document');
  const value = parsed(withoutMark);
  const outsideTexts = withoutMark.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const wholeNumbers = outsideTexts.match(/(?<![\d.eE+-])-?\d+(?![\d.eE])/g) ?? [];
  if (wholeNumbers.some(digits => !Number.isSafeInteger(Number(digits)))) {
    throw usage('--input has a whole number beyond ±(2^53 - 1), which would be rounded; write it as a text');
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Node's message may quote the text.
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    const line = at === undefined ? undefined : text.slice(0, Number(at)).split('\n').length;
    throw usage(`--input is no JSON document${line === undefined ? '' : `: look at line ${line}`}`);
  }
}
