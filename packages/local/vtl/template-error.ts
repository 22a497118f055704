/** Why a mapping template could not be evaluated, in words. */
export class TemplateError extends Error {
  override readonly name: string = 'TemplateError';
}

/** A body that had to be JSON for a template, and is not. */
export class BodyError extends TemplateError {
  override readonly name = 'BodyError';
}

/** Thrown by an evaluation that takes longer than everybody else can wait for. */
export class NotAtOnce extends Error {
  override readonly name = 'NotAtOnce';
}
