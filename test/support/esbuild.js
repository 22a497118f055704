/**
 * The esbuild of the process, for all its suites. Each copy of it that bundles starts a thread and a process that stay,
 * and keep the globals of their suite with them: 5 MB for each suite with a workflow.
 */
module.exports = globalThis[Symbol.for('onceflow.test.esbuild')];
