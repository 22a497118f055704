const TSC = 'node_modules/@typescript/native/bin/tsc';

/** A command that fails if it notices a change. */
export interface Stage {
  readonly name: string;
  /** What Node.js runs, in the copy. */
  readonly command: readonly string[];
}

/** The suites that know behavior, and the compiler: the fastest first, because most changes are noticed there. */
export const STAGES: readonly Stage[] = [
  { name: 'unit tests', command: jest('test/(state-machine|client|functions)/') },
  {
    name: 'the compiler',
    command: [TSC, '--noEmit', '--incremental', '--tsBuildInfoFile', '../types.tsbuildinfo'],
  },
  { name: 'tests of the constructs', command: jest('test/infra/') },
  { name: 'scenarios', command: jest('test/scenarios/') },
  { name: 'examples', command: jest('examples/') },
  { name: 'tests of the command line', command: jest('test/cli/(?!.*\\.system\\.)') },
  { name: "the explorer's tests", command: jest('test/proof/explore/') },
];

function jest(pattern: string): readonly string[] {
  return ['node_modules/jest/bin/jest.js', '--silent', '--bail', '--forceExit', pattern];
}

/** Files in which changes are made, and stages run. */
export interface ChangeableTree<LineChange> {
  /** Makes a change until `run` has settled. */
  during<Result>(change: LineChange, run: () => Promise<Result>): Promise<Result>;
  /** Whether a stage passes as the files are now. */
  passes(stage: Stage, signal: AbortSignal): Promise<boolean>;
}

/** Runs stages with changes, and trusts a stage only after it has passed without a change. */
export class StageRuns<LineChange> {
  readonly #tree: ChangeableTree<LineChange>;
  readonly #stages: readonly Stage[];
  readonly #trusted = new Set<Stage>();

  constructor(tree: ChangeableTree<LineChange>, stages: readonly Stage[]) {
    this.#tree = tree;
    this.#stages = stages;
  }

  /**
   * The name of the first stage that fails with a change. Undefined if every stage passes, or if `signal` is
   * aborted.
   *
   * @throws Error if that stage fails without the change, too
   */
  async noticedBy(change: LineChange, signal: AbortSignal): Promise<string | undefined> {
    const stage = await this.#tree.during(change, () => this.#firstFailing(signal));
    if (stage === undefined || this.#trusted.has(stage)) return stage?.name;
    const isPassed = await this.#tree.passes(stage, signal);
    if (signal.aborted) return undefined;
    if (!isPassed)
      throw new Error(`${stage.name} fails without a change. Run it in a clone of the last commit`);
    this.#trusted.add(stage);
    return stage.name;
  }

  async #firstFailing(signal: AbortSignal): Promise<Stage | undefined> {
    for (const stage of this.#stages) {
      const isPassed = await this.#tree.passes(stage, signal);
      if (signal.aborted) return undefined;
      if (!isPassed) return stage;
    }
    return undefined;
  }
}
