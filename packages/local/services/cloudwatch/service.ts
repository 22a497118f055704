import type { LocalService, MetricDatum, ServiceDefinition } from '../local-service';
import { cloudWatchIntegrations } from './integrations';

/** The CloudWatch of a stack. */
export interface CloudWatchService extends LocalService {
  /** What state machines have put, in the order in which it came; nothing of it is written to the stack's directory. */
  readonly data: readonly MetricDatum[];
}

/** Values that are kept; of more, the oldest are forgotten. */
const DATA_MAX = 10_000;

/** CloudWatch, as far as state machines put metrics of their own there. AWS clients do not reach it. */
export const CLOUDWATCH: ServiceDefinition<CloudWatchService> = {
  resourceTypes: new Map(),
  open({ clock, newRequestId }) {
    const data: MetricDatum[] = [];
    const put = (datum: MetricDatum) => {
      data.push(datum);
      if (data.length > DATA_MAX) data.shift();
    };
    return {
      data,
      integrations: cloudWatchIntegrations(put, { newRequestId, now: () => clock.now() }),
      close: () => undefined,
    };
  },
};
