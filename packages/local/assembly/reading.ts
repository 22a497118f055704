import type { Stack } from './stack';
import type { Reading } from './types';

/** The same position, one step further in. */
export function into(reading: Reading, step: string | number): Reading {
  const path = typeof step === 'number' ? `${reading.path}[${step}]` : `${reading.path}.${step}`;
  return { ...reading, path };
}

/** Notes a problem at this position. */
export function report(reading: Reading, message: string): undefined {
  reading.problems.push({ where: `${reading.stack.templateFile}: ${reading.path}`, message });
}

/** Notes at this position what keeps the resource that is read from being run, though AWS would take it. */
export function reportForeign(reading: Reading, message: string): undefined {
  const where = `${reading.stack.templateFile}: ${reading.path}`;
  reading.problems.push({ where, message, isForeign: true });
}

/** Exports are shared by the stacks of one account and region. */
export function exportKey(stack: Stack, exportName: string): string {
  return `${stack.environment.account}/${stack.environment.region}/${exportName}`;
}

/**
 * Works out something others refer to, in `stack` at `path`; a reference that leads back to it is a
 * problem of the position that closes the circle.
 */
export function visit<T>(
  reading: Reading,
  target: { readonly stack: Stack; readonly path: string },
  work: (inner: Reading) => T,
): T | undefined {
  const name = `${target.stack.artifactId}/${target.path}`;
  if (reading.visiting.includes(name)) {
    const circle = [...reading.visiting.slice(reading.visiting.indexOf(name)), name].join(' -> ');
    return report(reading, `refers to itself: ${circle}; break the circle`);
  }
  return work({ ...reading, ...target, visiting: [...reading.visiting, name] });
}
