import type { Channel, ChannelContext } from './channel';
import { codeChannel } from './code';
import { directChannel } from './direct';
import { eventsChannel } from './events';
import { queueChannel } from './queue';

/** The channels by the name that `--via` takes. */
export const CHANNELS = {
  events: eventsChannel,
  queue: queueChannel,
  direct: directChannel,
  code: codeChannel,
} as const satisfies Record<string, (context: ChannelContext) => Channel>;

/** The name of a channel. */
export type Via = keyof typeof CHANNELS;
