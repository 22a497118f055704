import type { Interceptor } from '@onceflow/local';

// #region interceptor
/** The first answer of each call is an outage of Lambda, though the function has run. */
export const outage: Interceptor = async (call, next) => {
  const answer = await next();
  if (call.resource !== 'lambda:invoke' || call.retryCount > 0) return answer;
  return { kind: 'failed', error: 'Lambda.ServiceException', cause: 'Service Unavailable' };
};
// #endregion
