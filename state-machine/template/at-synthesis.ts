import type { IConstruct } from 'constructs';

/**
 * Checks something when the template is made: aspects, overrides and later lines have changed what they change. An
 * Error becomes a problem that ends the synthesis, with the path of the construct; a warning can be added as well.
 */
export function atSynthesis({ node }: IConstruct, check: () => void): void {
  node.addValidation({ validate: () => problemsOf(check) });
}

/** The message of the Error that a check throws; empty if it throws none. */
export function problemsOf(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
