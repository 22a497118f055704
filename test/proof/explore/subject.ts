import type { Subject } from '../../../proof/explore/model/subject';
import { subjectOfAssembly } from '../../../proof/explore/model/subject';
import { assemblyOf } from '../../support/assembly';

let known: Subject | undefined;

/** The workflow of the reference app with its dispatcher, as synthesized; loaded once per test file. */
export function shippedSubject(): Subject {
  known ??= load();
  return known;
}

function load(): Subject {
  const loaded = subjectOfAssembly(assemblyOf({ name: 'reference' }));
  if (loaded.kind === 'problem') throw new Error(loaded.message);
  return loaded.subject;
}
