import { evaluateTemplate } from './evaluate';
import { type MappingGiven, mappingVariables, type ResponseOverride } from './mapping-context';
import type { Template } from './syntax';
import { BodyError, NotAtOnce, TemplateError } from './template-error';
import { Usage } from './usage';

/** A mapping template with all that it is evaluated with, in a form that can be sent to another thread. */
export interface MappingJob extends MappingGiven {
  readonly template: Template;
}

/** What a mapping template has printed and set, or why there is nothing. */
export type MappingResult =
  | { readonly kind: 'mapped'; readonly text: string; readonly override: ResponseOverride }
  /** `problem` continues the sentence "The template cannot be evaluated:". */
  | { readonly kind: 'failed'; readonly problem: string }
  /** The body is not the JSON that the template takes it for. */
  | { readonly kind: 'unreadable'; readonly problem: string };

/**
 * What a template makes of a request or an answer, if it takes some ten milliseconds at most, for which others can
 * wait. Undefined if only `evaluateMapping` has it: the evaluation takes longer, or its time is unknown.
 */
export function evaluateMappingAtOnce(job: MappingJob): MappingResult | undefined {
  try {
    return resultOf(job, new Usage('atOnce'));
  } catch (error) {
    if (error instanceof NotAtOnce) return undefined;
    throw error;
  }
}

/**
 * What a template makes of a request or an answer, within bounds of what it may make.
 *
 * For a thread of its own: a regular expression of the template can take for ever on a client's text, and only the end
 * of the thread ends it.
 */
export function evaluateMapping(job: MappingJob): MappingResult {
  return resultOf(job, new Usage('whole'));
}

function resultOf({ template, ...given }: MappingJob, usage: Usage): MappingResult {
  const { variables, responseOverride } = mappingVariables(given, usage);
  try {
    const text = evaluateTemplate(template, variables, usage);
    return { kind: 'mapped', text, override: responseOverride() };
  } catch (error) {
    if (error instanceof BodyError) return { kind: 'unreadable', problem: error.message };
    if (error instanceof TemplateError) return { kind: 'failed', problem: error.message };
    // The stack's end, or the longest text that there can be.
    if (error instanceof RangeError)
      return { kind: 'failed', problem: `it makes too much: ${error.message}` };
    throw error;
  }
}
