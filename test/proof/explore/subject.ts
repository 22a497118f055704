import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { Recovery } from '../../../infra/index';
import { subjectOfAssembly } from '../../../proof/explore/model/load-subject';
import type { Subject } from '../../../proof/explore/model/subject';
import type { Budget } from '../../../proof/explore/search/expansion';
import { type Exploration, explore } from '../../../proof/explore/search/search';
import { subjectOfVariant } from '../../../proof/explore/variants/run';
import type { VariantName } from '../../../proof/explore/variants/variants';
import { assemblyOf } from '../../support/assembly';
import { newDirectory, share, sharedDirectory } from '../../support/shared';

/** The reference app with recovery. */
export const RECOVERED = { name: 'reference, recovered', workflow: { recovery: Recovery.automatic() } };

let known: Subject | undefined;

/** The workflow of the reference app with its dispatcher, as synthesized; loaded once per test file. */
export function shippedSubject(): Subject {
  known ??= load();
  return known;
}

function load(): Subject {
  const loaded = subjectOfAssembly(assemblyOf(RECOVERED));
  if (loaded.kind === 'problem') throw new Error(loaded.message);
  return loaded.subject;
}

/** The assembly of all variants, synthesized once for all suites of a run. */
function variantsAssembly(): string {
  const shared = sharedDirectory('explored-variants');
  if (shared !== undefined) return shared;
  const directory = newDirectory();
  // Loading the CDK takes most of the time.
  const { App } = require('aws-cdk-lib') as typeof import('aws-cdk-lib');
  const { defineVariants } =
    require('../../../proof/explore/variants/stacks') as typeof import('../../../proof/explore/variants/stacks');
  const app = new App({ outdir: directory, context: { 'aws:cdk:bundling-stacks': [] } });
  defineVariants(app);
  app.synth();
  return share(directory, 'explored-variants');
}

const variants = new Map<VariantName, Subject>();

/** A variant, as synthesized. */
export function variantSubject(name: VariantName): Subject {
  const loaded = variants.get(name) ?? loadedVariant(name);
  variants.set(name, loaded);
  return loaded;
}

function loadedVariant(name: VariantName): Subject {
  const loaded = subjectOfVariant(variantsAssembly(), name);
  if (loaded.kind === 'problem') throw new Error(loaded.message);
  return loaded.subject;
}

/** What exploring the shipped one without threads comes to, explored once for all suites of a run. */
export function shippedExploration(budget: Budget): Promise<Exploration> {
  return explorationOf('shipped', shippedSubject, budget);
}

/** The same for a variant. */
export function variantExploration(name: VariantName, budget: Budget): Promise<Exploration> {
  return explorationOf(name, () => variantSubject(name), budget);
}

async function explorationOf(name: string, subject: () => Subject, budget: Budget): Promise<Exploration> {
  const { executions, faults, channels, symmetry = false } = budget;
  const shareName = `explored-${[name, executions, faults, ...channels, symmetry].join('-')}`;
  const shared = sharedDirectory(shareName);
  if (shared !== undefined) return explorationIn(shared);
  const directory = newDirectory();
  writeFileSync(fileIn(directory), serialize(await explore(subject(), budget)));
  return explorationIn(share(directory, shareName));
}

function explorationIn(directory: string): Exploration {
  return deserialize(readFileSync(fileIn(directory))) as Exploration;
}

function fileIn(directory: string): string {
  return path.join(directory, 'exploration');
}
