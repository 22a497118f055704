// One synth per test file costs over a second with CDK's template validator; one test validates, the rest go without.
process.env.CDK_VALIDATION ??= 'false';
// The SDK's notice about Node 20 would be printed by every test file.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
// Jest captures 100 frames of each error, and looks up the source of each frame when a stack is read. The CDK reads
// stacks all the time.
Error.stackTraceLimit = 30;
// Tests provoke these warnings on purpose. In a green run they would look like faults.
const PROVOKED = /cannot be written|the local service '.*' broke in state/;
const emitWarning = process.emitWarning.bind(process);
process.emitWarning = (warning: string | Error, ...rest: never[]) => {
  if (!PROVOKED.test(String(warning))) emitWarning(warning, ...rest);
};
